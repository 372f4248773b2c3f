import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import {
  hashOfNarrow,
  type IdsForHash,
  type NamesForHash,
  narrowOfHash,
} from '@heddle/client/model/messages/narrow-hash.ts';
import { currentName, ORGANIZATION_SECTIONS, OWN_SECTIONS } from './settings-sections.ts';

/** What the app shows. Each route has a fragment of the URL, which links of other clients use too. */
export type Route =
  | { readonly view: SimpleView }
  | { readonly view: 'narrow'; readonly narrow: Narrow }
  /** Shortcuts of the installed app begin these in the inbox. */
  | { readonly view: 'new-message' | 'search' }
  | ShareRoute
  /** The topics of a channel. */
  | { readonly view: 'topics'; readonly channelId: number }
  /** Browses, creates and edits channels. */
  | { readonly view: 'channels'; readonly tab: 'subscribed' | 'available' | 'archived' | 'new' }
  | { readonly view: 'channel'; readonly channelId: number; readonly tab: 'general' | 'personal' | 'subscribers' }
  | { readonly view: 'groups'; readonly tab: 'your' | 'all' | 'new' }
  | { readonly view: 'group'; readonly groupId: number }
  | { readonly view: 'user'; readonly userId: number }
  /** An empty section is the list of the pages. A tab is a part of a page, or the id of what it shows. */
  | { readonly view: 'settings' | 'organization'; readonly section: string; readonly tab?: string }
  /** The fragment names something that the user does not know. */
  | { readonly view: 'unknown'; readonly hash: string };

/** What another app shares: a text, files that did not arrive, or what the service worker keeps. */
export interface ShareRoute {
  readonly view: 'share';
  readonly what: 'text' | 'files' | 'kept';
  readonly text: string;
}

const SIMPLE_VIEWS = [
  'inbox',
  'recent',
  'feed',
  'drafts',
  'scheduled',
  'reminders',
  'invite',
  'keyboard-shortcuts',
  'message-formatting',
  'search-operators',
] as const;

export type SimpleView = (typeof SIMPLE_VIEWS)[number];

/** Fragments of older clients. */
const OLDER_NAMES: Readonly<Record<string, string>> = {
  all_messages: 'feed',
  recent_topics: 'recent',
  home: 'feed',
  streams: 'channels',
  subscriptions: 'channels',
  administration: 'organization',
  'user-profile': 'user',
  'user-groups': 'groups',
};

/** Pages of other clients' settings that are elsewhere in this app. */
const MOVED_PAGES: Readonly<Record<string, Route>> = {
  'organization/bots/your-bots': { view: 'settings', section: 'your-bots' },
  'organization/deactivated-users-admin': { view: 'organization', section: 'users', tab: 'deactivated' },
  'organization/invites-list-admin': { view: 'invite' },
  'organization/users/invitations': { view: 'invite' },
  'organization/user-groups-admin': { view: 'groups', tab: 'all' },
  'organization/channel-folders': { view: 'channels', tab: 'subscribed' },
  'settings/user-groups-admin': { view: 'groups', tab: 'all' },
  'settings/user-groups': { view: 'groups', tab: 'your' },
  'settings/invites-list-admin': { view: 'invite' },
  'settings/deactivated-users-admin': { view: 'organization', section: 'users', tab: 'deactivated' },
};

const CHANNEL_TABS: Readonly<Record<string, string>> = { all: 'available', notsubscribed: 'available' };

const TOPICS = /^#topics\//;

/** @returns undefined for the empty fragment, which means the user's home view */
export function routeOf(hash: string, ids: IdsForHash): Route | undefined {
  if (hash === '' || hash === '#') return undefined;
  const narrow = narrowOfHash(hash.replace(TOPICS, '#narrow/'), ids);
  if (narrow !== undefined) {
    const [first, second] = narrow;
    const isList = TOPICS.test(hash) && second === undefined && first?.operator === 'channel';
    return isList ? { view: 'topics', channelId: Number(first.operand) } : { view: 'narrow', narrow };
  }
  const [name = '', ...rest] = hash.slice(1).replace(/\/+$/, '').split('/');
  const view = OLDER_NAMES[name] ?? name;
  const [first = '', second = '', third = ''] = rest;
  const simple = SIMPLE_VIEWS.find((one) => one === view);
  if (simple !== undefined) return { view: simple };
  switch (view) {
    case 'new-message':
    case 'search':
      return { view };
    case 'share':
      return { view, what: oneOf(['kept', 'text', 'files'], first), text: decoded(second) };
    case 'channels':
      if (isId(first)) {
        const tab = oneOf(['general', 'personal', 'subscribers'], third);
        return { view: 'channel', channelId: Number(first), tab };
      }
      return {
        view: 'channels',
        tab: oneOf(['subscribed', 'available', 'archived', 'new'], CHANNEL_TABS[first] ?? first),
      };
    case 'groups':
      if (isId(first)) return { view: 'group', groupId: Number(first) };
      return { view: 'groups', tab: oneOf(['your', 'all', 'new'], first) };
    case 'user':
      // Older links can have the name behind the id: `3-Ada`.
      if (isId(first.split('-')[0] ?? '')) return { view: 'user', userId: Number.parseInt(first, 10) };
      break;
    case 'settings':
    case 'organization': {
      const moved = MOVED_PAGES[[view, ...rest].join('/')];
      if (moved !== undefined) return moved;
      const section = currentName(view === 'settings' ? OWN_SECTIONS : ORGANIZATION_SECTIONS, first);
      // Older clients had one list of settings.
      const ofOrganization = currentName(ORGANIZATION_SECTIONS, first);
      if (
        view === 'settings' &&
        !Object.hasOwn(OWN_SECTIONS, section) &&
        Object.hasOwn(ORGANIZATION_SECTIONS, ofOrganization)
      ) {
        return { view: 'organization', section: ofOrganization, ...(second !== '' && { tab: second }) };
      }
      return { view, section, ...(second !== '' && { tab: second }) };
    }
  }
  return { view: 'unknown', hash };
}

export function hashOf(route: Route, names: NamesForHash): string {
  switch (route.view) {
    case 'narrow':
      return hashOfNarrow(route.narrow, names);
    case 'share':
      return `#share/${route.what}/${encodeURIComponent(route.text)}`;
    case 'topics':
      return hashOfNarrow([{ operator: 'channel', operand: route.channelId }], names).replace('#narrow', '#topics');
    case 'channels':
    case 'groups':
      return `#${route.view}/${route.tab}`;
    case 'channel': {
      const slug = encodeURIComponent((names.channelName(route.channelId) ?? 'unknown').replaceAll(' ', '-'));
      return `#channels/${route.channelId}/${slug.replaceAll('.', '%2E').replaceAll('%', '.')}/${route.tab}`;
    }
    case 'group':
      return `#groups/${route.groupId}`;
    case 'user':
      return `#user/${route.userId}`;
    case 'settings':
    case 'organization':
      return `#${[route.view, route.section, route.tab].filter(Boolean).join('/')}`;
    case 'unknown':
      return route.hash;
    default:
      return `#${route.view}`;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function isId(text: string): boolean {
  return /^\d{1,10}$/.test(text);
}

function oneOf<const Choice extends string>(choices: readonly [Choice, ...Choice[]], text: string): Choice {
  return choices.find((choice) => choice === text) ?? choices[0];
}
