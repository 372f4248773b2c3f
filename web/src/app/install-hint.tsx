import { type ReactNode, useState } from 'react';
import { t } from '../base/i18n.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { InstallSteps } from '../notifications/install-steps.tsx';
import { installStore } from './install-store.ts';
import { dismissInstall } from './offer-install.ts';

/** Says that the app can be installed. Browsers that ask themselves do so after a press; for others, a dialog says how. */
export default function InstallHint(): ReactNode {
  const [showsSteps, setShowsSteps] = useState(false);
  const end = (): void => {
    dismissInstall();
    installStore.set({ isOffered: false });
  };
  const install = (): void => {
    const { browserPrompt } = installStore;
    if (browserPrompt === undefined) {
      setShowsSteps(true);
      return;
    }
    // A browser asks once. Who says no does not want to be asked again.
    void browserPrompt.prompt().then(end, end);
  };
  return (
    <>
      <Banner
        isBar
        action={
          <Button size="small" onPress={install}>
            {installStore.browserPrompt === undefined ? t('Show how') : t('Install')}
          </Button>
        }
        onDismiss={end}
      >
        {t('Install the app: it gets an icon of its own, opens at once, and can notify you.')}
      </Banner>
      {showsSteps && <InstallSteps onClose={end} />}
    </>
  );
}
