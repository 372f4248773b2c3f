import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { NavigationShortcuts } from '../conversations/navigation-shortcuts.tsx';
import { LeftSidebar } from '../conversations/sidebar/left-sidebar.tsx';
import { FollowMoves } from '../conversations/topic-actions/following.ts';
import { ToastRegion } from '../design/toast-region.tsx';
import { ActionDialogs } from '../feed/actions/action-dialogs.tsx';
import { LightboxHost } from '../feed/content/lightbox-host.tsx';
import { Notifications } from '../notifications/notifications.tsx';
import { OwnAccount } from '../people/own-account.tsx';
import { People } from '../people/people.tsx';
import { RightColumn } from '../people/sidebar/right-column.tsx';
import { SearchLayer } from '../search/search-layer.tsx';
import { type App, AppContext } from './app.tsx';
import { Appearance } from './appearance.tsx';
import type { Boot } from './boot.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { frameShortcuts } from './frame-shortcuts.ts';
import { t } from './i18n.ts';
import { TextsProvider } from './i18n-react.tsx';
import { Keyboard, useShortcut } from './keyboard-react.tsx';
import { lazyPart, loadPartsWhenIdle } from './lazy-part.tsx';
import { PaletteLayer } from './palette.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { Starting } from './starting.tsx';
import { TitleAndIcon } from './title.tsx';
import { CurrentView } from './views.tsx';

const HelpDialog = lazyPart(() => import('../help/help-dialog.tsx'));

/** The whole app. */
export function Heddle({ boot }: { readonly boot: Boot }): ReactNode {
  useSyncExternalStore(boot.changes.subscribe, boot.changes.read);
  return (
    <TextsProvider>
      <Keyboard />
      <ErrorBoundary resetKey="app" isWhole>
        {boot.app === undefined ? <Starting session={boot.session} /> : <Running app={boot.app} />}
      </ErrorBoundary>
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
              <ErrorBoundary resetKey="left">
                <LeftSidebar />
                <OwnAccount />
              </ErrorBoundary>
            }
            leftLabel={t('Conversations')}
            main={<CurrentView />}
            mainLabel={t('Messages')}
            right={
              app.model.account.isSpectator ? undefined : (
                <ErrorBoundary resetKey="right">
                  <RightColumn />
                </ErrorBoundary>
              )
            }
            rightLabel={t('People')}
            bottom={<PhoneBar />}
            visits={app.navigation.visits}
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
  return isOpen && <HelpDialog onClose={() => setOpen(false)} />;
}
