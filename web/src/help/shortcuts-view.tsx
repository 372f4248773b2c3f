import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { HelpPage } from './help-page.tsx';
import { ShortcutTable } from './keyboard-help.tsx';

/** All shortcuts, for links from elsewhere. The key `?` shows the same in a dialog. */
export function ShortcutsView(): ReactNode {
  return (
    <HelpPage current="keyboard-shortcuts" intro={t('The key ? shows them everywhere.')}>
      <ShortcutTable heading="h2" />
    </HelpPage>
  );
}
