import { type Narrow, placeOfNarrow } from '@heddle/client/model/messages/narrow.ts';
import { type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { useApp } from '../base/app.tsx';
import { lazyComponent, loadedCode } from '../base/load-code.ts';
import type { Route } from '../base/routes.ts';
import { useChanges } from '../base/use-changes.ts';
import { Compose } from '../compose/compose.tsx';
import { NarrowHeader } from '../conversations/header/narrow-header.tsx';
import { NewChannel } from '../conversations/header/new-channel.tsx';
import { Inbox } from '../conversations/inbox/inbox.tsx';
import { Feed } from '../feed/feed.tsx';
import { ErrorBoundary } from '../frame/error-boundary.tsx';
import { TypingIndicator } from '../people/typing-indicator.tsx';
import { isByRelevance, orderChanges } from '../search/search-store.ts';
import { COMBINED_FEED } from '../shown/current.ts';
import { LoadingView } from './loading-view.tsx';
import styles from './views.module.css';

const UserProfile = lazyComponent(async () => ({ default: (await import('../people/user-profile.tsx')).UserProfile }));

const RelevantHits = lazyComponent(() => import('../feed/relevant-hits.tsx'));
const Recent = lazyComponent(async () => ({ default: (await import('../conversations/recent/recent.tsx')).Recent }));
const StartAction = lazyComponent(() => import('./start-action.tsx'));
const ShareView = lazyComponent(() => import('../conversations/share/share-view.tsx'));
const TopicsPage = lazyComponent(() => import('../conversations/sidebar/topics-page.tsx'));
const DraftsView = lazyComponent(async () => ({
  default: (await import('../conversations/lists/drafts-view.tsx')).DraftsView,
}));
const ScheduledView = lazyComponent(async () => ({
  default: (await import('../conversations/lists/scheduled-view.tsx')).ScheduledView,
}));
const RemindersView = lazyComponent(async () => ({
  default: (await import('../conversations/lists/reminders-view.tsx')).RemindersView,
}));

const ChannelsView = lazyComponent(async () => ({
  default: (await import('../channels/channels-view.tsx')).ChannelsView,
}));
const ChannelView = lazyComponent(async () => ({
  default: (await import('../channels/channel-view.tsx')).ChannelView,
}));

const InviteView = lazyComponent(async () => ({
  default: (await import('../settings/invite/invite-view.tsx')).InviteView,
}));

const SettingsView = lazyComponent(async () => ({
  default: (await import('../settings/own/settings-view.tsx')).SettingsView,
}));

const OrganizationView = lazyComponent(async () => ({
  default: (await import('../settings/organization/organization-view.tsx')).OrganizationView,
}));
const FormattingView = lazyComponent(async () => ({
  default: (await import('../help/formatting-view.tsx')).FormattingView,
}));
const SearchOperatorsView = lazyComponent(async () => ({
  default: (await import('../help/search-view.tsx')).SearchOperatorsView,
}));
const ShortcutsView = lazyComponent(async () => ({
  default: (await import('../help/shortcuts-view.tsx')).ShortcutsView,
}));

const GroupsView = lazyComponent(async () => ({
  default: (await import('../settings/groups/groups-view.tsx')).GroupsView,
}));
const GroupView = lazyComponent(async () => ({
  default: (await import('../settings/groups/group-view.tsx')).GroupView,
}));

const NotFound = lazyComponent(async () => ({ default: (await import('./not-found.tsx')).NotFound }));

/** What the middle column shows: the view of the route. */
export function CurrentView(): ReactNode {
  const { navigation } = useApp();
  useChanges(navigation.changes);
  const { route } = navigation;
  const view = useRef<HTMLDivElement>(null);
  useExtras(view);
  return (
    <div className={styles.conversation}>
      <div ref={view} className={styles.view}>
        <ErrorBoundary resetKey={navigation.entry}>
          <Suspense fallback={<LoadingView route={route} />}>
            <View route={route} />
          </Suspense>
        </ErrorBoundary>
      </div>
      <ErrorBoundary resetKey={navigation.entry}>
        <ComposeBelow route={route} />
      </ErrorBoundary>
    </div>
  );
}

/** Places of pages, gestures, and what else the first view does not need. The code for it loads later. */
function useExtras(view: { readonly current: HTMLDivElement | null }): void {
  const app = useApp();
  useEffect(() => {
    let isMounted = true;
    let end = () => {};
    void loadedCode(() => import('./extras.ts')).then(({ startExtras }) => {
      if (isMounted && view.current !== null) end = startExtras(app, view.current);
    });
    return () => {
      isMounted = false;
      end();
    };
  }, [app, view]);
}

/** Views in which a message is likely. In other views, the compose box is there when somebody opens it. */
const INVITES_TO_WRITE: ReadonlySet<Route['view']> = new Set(['narrow', 'feed', 'inbox', 'recent', 'topics']);

/** Sets how much of the window is below the messages, so that notices stand above the box. */
function tellHeightBelow(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined;
  const { style } = document.documentElement;
  const tell = () =>
    style.setProperty('--below', `${Math.max(0, window.innerHeight - element.getBoundingClientRect().top)}px`);
  const observer = new ResizeObserver(tell);
  observer.observe(element);
  window.addEventListener('resize', tell);
  return () => {
    observer.disconnect();
    window.removeEventListener('resize', tell);
    style.removeProperty('--below');
  };
}

/** The compose box stays mounted, so that a text does not depend on the view. */
function ComposeBelow({ route }: { readonly route: Route }): ReactNode {
  const { model } = useApp();
  const narrow = useMemo(() => narrowOf(route), [route]);
  const place = useMemo(() => placeOfNarrow(narrow, model.ownId), [narrow, model]);
  const below = useRef<HTMLDivElement>(null);
  useEffect(() => tellHeightBelow(below.current), []);
  return (
    <div ref={below}>
      {!model.account.isSpectator && place !== undefined && <TypingIndicator place={place} />}
      <Compose place={place} narrow={narrow} isInviting={INVITES_TO_WRITE.has(route.view)} />
    </div>
  );
}

function narrowOf(route: Route): Narrow {
  if (route.view === 'topics') return [{ operator: 'channel', operand: route.channelId }];
  return route.view === 'narrow' ? route.narrow : COMBINED_FEED;
}

function View({ route }: { readonly route: Route }): ReactNode {
  switch (route.view) {
    case 'narrow':
      return <Conversation narrow={route.narrow} />;
    case 'feed':
      return <Conversation narrow={COMBINED_FEED} />;
    case 'topics':
      return <TopicsPage key={route.channelId} channelId={route.channelId} />;
    case 'new-message':
    case 'search':
      return <StartAction action={route.view} />;
    case 'share':
      return <ShareView route={route} />;
    case 'inbox':
      return <Inbox />;
    case 'recent':
      return <Recent />;
    case 'drafts':
      return <DraftsView />;
    case 'scheduled':
      return <ScheduledView />;
    case 'reminders':
      return <RemindersView />;
    case 'user':
      return <UserProfile userId={route.userId} />;
    case 'settings':
      return <SettingsView section={route.section} tab={route.tab} />;
    case 'organization':
      return <OrganizationView section={route.section} tab={route.tab} />;
    case 'groups':
      return <GroupsView tab={route.tab} />;
    case 'group':
      return <GroupView groupId={route.groupId} />;
    case 'invite':
      return <InviteView />;
    case 'keyboard-shortcuts':
      return <ShortcutsView />;
    case 'message-formatting':
      return <FormattingView />;
    case 'search-operators':
      return <SearchOperatorsView />;
    case 'channels':
      return <ChannelsView tab={route.tab} />;
    case 'channel':
      return <ChannelView channelId={route.channelId} tab={route.tab} />;
    default:
      return <NotFound />;
  }
}

/** Messages with their header. */
function Conversation({ narrow }: { readonly narrow: Narrow }): ReactNode {
  useChanges(orderChanges);
  return (
    <div className={styles.conversation}>
      <NarrowHeader narrow={narrow} />
      <NewChannel narrow={narrow} />
      {isByRelevance(narrow) ? <RelevantHits narrow={narrow} /> : <Feed narrow={narrow} />}
    </div>
  );
}
