import { type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges } from '../base/use-changes.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { InstallSteps } from './install-steps.tsx';
import { notificationPermission } from './permission.ts';
import { pushDevice } from './push-device.ts';

/** Offers to turn notifications on, after the first message that was missed. Where only the installed app can notify, it says so. */
export default function PermissionBar(): ReactNode {
  const app = useApp();
  const [showsSteps, setShowsSteps] = useState(false);
  useChanges(notificationPermission.changes);
  const { missedFrom: name, needsInstall } = notificationPermission;
  const end = () => notificationPermission.postpone(app.model.ownId);
  if (name === undefined) return null;
  // Without a push service, the app still notifies while it is open.
  const turnOn = () => void pushDevice.turnOn(app).catch(() => undefined);
  return (
    <>
      <Banner
        isBar
        action={
          <Button size="small" onPress={needsInstall ? () => setShowsSteps(true) : turnOn}>
            {needsInstall ? t('Show how') : t('Turn on notifications')}
          </Button>
        }
        onDismiss={end}
      >
        {needsInstall
          ? t('{name} wrote to you. Heddle can notify you on this device when it is installed.', { name })
          : t('{name} wrote to you. Heddle can notify you when this window is not in front.', { name })}
      </Banner>
      {showsSteps && <InstallSteps onClose={end} />}
    </>
  );
}
