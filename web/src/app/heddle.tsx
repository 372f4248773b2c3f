import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { type App, AppContext } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { TextsProvider } from '../base/i18n-react.tsx';
import { Keyboard, useShortcut } from '../base/keyboard-react.tsx';
import { lazyPart, loadPartsWhenIdle } from '../base/lazy-part.tsx';
import { useChanges } from '../base/use-changes.ts';
import { setCommandRunner } from '../compose/commands/runner.ts';
import { FollowMoves, SendWaiting } from '../compose/following.ts';
import { NavigationShortcuts } from '../conversations/navigation-shortcuts.tsx';
import { LeftSidebar } from '../conversations/sidebar/left-sidebar.tsx';
import { ToastRegion } from '../design/toast-region.tsx';
import { ActionDialogs } from '../feed/actions/action-dialogs.tsx';
import { ErrorBoundary } from '../frame/error-boundary.tsx';
import { Frame } from '../frame/frame.tsx';
import { frameShortcuts } from '../frame/frame-shortcuts.ts';
import { Notifications } from '../notifications/notifications.tsx';
import { OwnAccount } from '../people/own-account.tsx';
import { People } from '../people/people.tsx';
import { RightColumn } from '../people/sidebar/right-column.tsx';
import { SearchLayer } from '../search/search-layer.tsx';
import { Announcer } from './announcer.tsx';
import { Appearance } from './appearance.tsx';
import type { Boot } from './boot.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { installStore } from './install-store.ts';
import { LightboxHost } from './lightbox-host.tsx';
import { PaletteLayer } from './palette.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { Starting } from './starting.tsx';
import { TitleAndIcon } from './title.tsx';
import { CurrentView } from './views.tsx';

setCommandRunner(async () => (await import('./slash-commands.ts')).runSlashCommand);

const Background = lazyPart(() => import('./background.tsx'), null);
const InstallHint = lazyPart(() => import('./install-hint.tsx'), null);
const HelpDialog = lazyPart(() => import('../help/help-dialog.tsx'));

/** The whole app. */
export function Heddle({ boot }: { readonly boot: Boot }): ReactNode {
  useSyncExternalStore(boot.changes.subscribe, boot.changes.read);
  return (
    <TextsProvider>
      <Keyboard />
      <ErrorBoundary resetKey="app" isWhole>
        {boot.app === undefined ? <Starting boot={boot} /> : <Running app={boot.app} />}
      </ErrorBoundary>
    </TextsProvider>
  );
}

function Running({ app }: { readonly app: App }): ReactNode {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => loadPartsWhenIdle(() => setIdle(true)), []);
  return (
    <AppContext value={app}>
      <LightboxHost>
        <People>
          <Frame
            top={
              <>
                <ConnectionBanner />
                <Notifications />
                <Install />
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
      <Announcer />
      <NavigationShortcuts />
      <FollowMoves />
      <SendWaiting />
      <SearchLayer />
      <PaletteLayer />
      <Help />
      <ActionDialogs />
      <ToastRegion />
      {isIdle && <Background />}
    </AppContext>
  );
}

function Install(): ReactNode {
  useChanges(installStore.changes);
  return installStore.isOffered && <InstallHint />;
}

function Help(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useShortcut(frameShortcuts.help, () => setOpen(true));
  return isOpen && <HelpDialog onClose={() => setOpen(false)} />;
}
