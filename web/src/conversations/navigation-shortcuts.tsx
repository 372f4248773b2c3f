import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { msg, t } from '../base/i18n.ts';
import { defineShortcut, type ShortcutDefinition } from '../base/keyboard.ts';
import { useShortcut } from '../base/keyboard-react.tsx';
import type { Route } from '../base/routes.ts';
import { toasts } from '../base/toasts.ts';
import { useChanges } from '../base/use-changes.ts';
import { currentOf } from '../shown/current.ts';
import { routeOfChannel, routeOfNarrow, routeOfPlace } from '../shown/names.ts';
import { neighbourChannel, neighbourUnread, nextUnreadDirect, nextUnreadTopic } from './next-unread.ts';

const define = (definition: Omit<ShortcutDefinition, 'group'>) =>
  defineShortcut({ group: 'navigation', ...definition });

export const navigationShortcuts = {
  nextUnread: define({ id: 'go.next-unread', keys: [']'], label: msg('Next unread conversation') }),
  previousUnread: define({ id: 'go.previous-unread', keys: ['['], label: msg('Previous unread conversation') }),
  nextUnreadTopic: define({ id: 'go.next-topic', keys: ['n'], label: msg('Next unread topic') }),
  nextFollowedTopic: define({ id: 'go.next-followed-topic', keys: ['N'], label: msg('Next unread followed topic') }),
  nextUnreadDirect: define({ id: 'go.next-direct', keys: ['p'], label: msg('Next unread direct message') }),
  previousChannel: define({ id: 'go.previous-channel', keys: ['A'], label: msg('Channel above') }),
  nextChannel: define({ id: 'go.next-channel', keys: ['D'], label: msg('Channel below') }),
  inbox: define({ id: 'go.inbox', keys: ['I'], label: msg('Inbox') }),
  recent: define({ id: 'go.recent', keys: ['t'], label: msg('Recent conversations') }),
  feed: define({ id: 'go.feed', keys: ['a'], label: msg('Combined feed') }),
  direct: define({ id: 'go.direct', keys: ['P'], label: msg('All direct messages') }),
  starred: define({ id: 'go.starred', keys: ['*'], label: msg('Starred messages') }),
  drafts: define({ id: 'go.drafts', keys: ['d'], label: msg('Drafts') }),
  channel: define({ id: 'go.channel', keys: ['s'], label: msg('Channel of the open topic') }),
  home: define({ id: 'go.home', keys: ['Escape', 'Mod+['], label: msg('Home view') }),
};

/** The shortcuts that go to views and conversations. Mount it once. */
export function NavigationShortcuts(): ReactNode {
  const { model, navigation } = useApp();
  useChanges(navigation.changes);
  const current = currentOf(model, navigation.route);
  const hasAccount = !model.account.isSpectator;
  const keys = navigationShortcuts;
  const goTo = (route: Route) => () => navigation.go(route);
  const goToPlace = (place: ReturnType<typeof nextUnreadTopic>, otherwise: string) => {
    if (place === undefined) toasts.show({ text: otherwise, key: 'next unread' });
    else navigation.go(routeOfPlace(model, place));
  };
  const noUnread = t('No other unread conversation');
  useShortcut(keys.nextUnread, () => goToPlace(neighbourUnread(model, current.place, 1), noUnread), {
    when: hasAccount,
  });
  useShortcut(keys.previousUnread, () => goToPlace(neighbourUnread(model, current.place, -1), noUnread), {
    when: hasAccount,
  });
  useShortcut(keys.nextUnreadTopic, () => goToPlace(nextUnreadTopic(model, current.place), t('No other unread topic')));
  useShortcut(
    keys.nextFollowedTopic,
    () => goToPlace(nextUnreadTopic(model, current.place, true), t('No other unread topic that you follow')),
    { when: hasAccount },
  );
  useShortcut(
    keys.nextUnreadDirect,
    () => goToPlace(nextUnreadDirect(model, current.place), t('No other unread direct message')),
    { when: hasAccount },
  );
  const goToNeighbour = (step: 1 | -1) => {
    const channelId = neighbourChannel(model, current.channelId, step);
    if (channelId !== undefined) navigation.go(routeOfChannel(channelId));
  };
  useShortcut(keys.previousChannel, () => goToNeighbour(-1));
  useShortcut(keys.nextChannel, () => goToNeighbour(1));
  useShortcut(keys.inbox, goTo({ view: 'inbox' }), { when: hasAccount });
  useShortcut(keys.recent, goTo({ view: 'recent' }));
  useShortcut(keys.feed, goTo({ view: 'feed' }));
  useShortcut(keys.direct, goTo(routeOfNarrow([{ operator: 'is', operand: 'dm' }])), { when: hasAccount });
  useShortcut(keys.starred, goTo(routeOfNarrow([{ operator: 'is', operand: 'starred' }])), { when: hasAccount });
  useShortcut(keys.drafts, goTo({ view: 'drafts' }), { when: hasAccount });
  useShortcut(
    keys.channel,
    () => {
      if (current.channelId !== undefined) navigation.go(routeOfChannel(current.channelId));
    },
    { when: current.place?.kind === 'topic' },
  );
  useShortcut(keys.home, (event) => {
    const goesHome = model.account.settings.web_escape_navigates_to_home_view ?? true;
    if (event.key === 'Escape' && !goesHome) return false;
    navigation.goHome();
  });
  return null;
}
