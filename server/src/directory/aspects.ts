import type { StateDelta } from './state-deltas.ts';

/** The parts with a version of their own. A value derived from some of them stays valid until one of those changes. */
export const ASPECTS = [
  'organization',
  'users',
  'channels',
  'groups',
  'subscriptions',
  'emoji',
  'settings',
  'profiles',
] as const;
export type Aspect = (typeof ASPECTS)[number];

export const ASPECT_OF: Readonly<Record<StateDelta['delta'], Aspect>> = {
  organization: 'organization',
  user: 'users',
  'user-settings': 'settings',
  channel: 'channels',
  group: 'groups',
  'group-members': 'groups',
  'group-subgroups': 'groups',
  subscribed: 'subscriptions',
  unsubscribed: 'subscriptions',
  acquainted: 'users',
  queues_reset: 'users',
  'first-message': 'channels',
  'channel-activity': 'channels',
};
