import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { NavigationShortcuts } from '../conversations/navigation-shortcuts.tsx';
import { LeftSidebar } from '../conversations/sidebar/left-sidebar.tsx';
import { FollowMoves } from '../conversations/topic-actions/following.ts';
import { ToastRegion } from '../design/toast-region.tsx';
import { ActionDialogs } from '../feed/actions/action-dialogs.tsx';
import { LightboxHost } from '../feed/content/lightbox-host.tsx';
import { HelpLinks } from '../help/help-links.tsx';
import { Notifications } from '../notifications/notifications.tsx';
import { OwnAccount } from '../people/own-account.tsx';
import { People } from '../people/people.tsx';
import { RightColumn } from '../people/sidebar/right-column.tsx';
import { SearchLayer } from '../search/search-layer.tsx';
import { type App, AppContext } from './app.tsx';
import { Appearance } from './appearance.tsx';
import type { Boot } from './boot.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { Frame } from './frame.tsx';
import { frameShortcuts } from './frame-shortcuts.ts';
import { t } from './i18n.ts';
import { TextsProvider } from './i18n-react.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { Keyboard, useShortcut } from './keyboard-react.tsx';
import { loadPartsWhenIdle } from './lazy-part.tsx';
import { PaletteLayer } from './palette.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { TitleAndIcon } from './title.tsx';
import { CurrentView } from './views.tsx';

/** The whole app. */
export function Heddle({ boot }: { readonly boot: Boot }): ReactNode {
  useSyncExternalStore(boot.changes.subscribe, boot.changes.read);
  return (
    <TextsProvider>
      <Keyboard />
      {boot.app !== undefined && <Running app={boot.app} />}
    </TextsProvider>
  );
}

function Running({ app }: { readonly app: App }): ReactNode {
  useEffect(loadPartsWhenIdle, []);
  return (
    <AppContext value={app}>
      <LightboxHost>
        <People>
          <Frame
            top={
              <>
                <ConnectionBanner />
                <Notifications />
              </>
            }
            left={
              <>
                <LeftSidebar />
                <OwnAccount />
              </>
            }
            leftLabel={t('Conversations')}
            main={<CurrentView />}
            mainLabel={t('Messages')}
            right={app.model.account.isSpectator ? undefined : <RightColumn />}
            rightLabel={t('People')}
            bottom={<PhoneBar />}
          />
        </People>
      </LightboxHost>
      <Appearance />
      <TitleAndIcon />
      <NavigationShortcuts />
      <FollowMoves />
      <SearchLayer />
      <PaletteLayer />
      <Help />
      <ActionDialogs />
      <ToastRegion />
    </AppContext>
  );
}

function Help(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useShortcut(frameShortcuts.help, () => setOpen(true));
  return (
    <KeyboardHelp isOpen={isOpen} onOpenChange={setOpen}>
      <HelpLinks onFollow={() => setOpen(false)} />
    </KeyboardHelp>
  );
}
