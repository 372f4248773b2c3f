/** Generated from the contract (`npm run generate`). `api/src/narrow-vocabulary.ts` explains the fields. */
/** The operators of narrows. */
export const NARROW_OPERATORS = {
  channel: { operand: 'channel', olderNames: ['stream'], isNegatable: true, matchesInClient: true, findsHistory: true },
  channels: { operand: 'word', olderNames: ['streams'], isNegatable: true, matchesInClient: false, findsHistory: true },
  topic: { operand: 'topic', olderNames: ['subject'], isNegatable: true, matchesInClient: true, findsHistory: false },
  dm: {
    operand: 'users',
    olderNames: ['pm-with', 'pm_with'],
    isNegatable: true,
    matchesInClient: true,
    findsHistory: false,
  },
  'dm-including': { operand: 'user', olderNames: [], isNegatable: true, matchesInClient: true, findsHistory: false },
  'group-pm-with': {
    operand: 'user',
    olderNames: [],
    isNegatable: true,
    matchesInClient: false,
    findsHistory: false,
    replacedBy: 'dm-including',
  },
  sender: { operand: 'sender', olderNames: ['from'], isNegatable: true, matchesInClient: true, findsHistory: false },
  is: { operand: 'word', olderNames: [], isNegatable: true, matchesInClient: true, findsHistory: false },
  has: { operand: 'word', olderNames: [], isNegatable: true, matchesInClient: false, findsHistory: false },
  in: { operand: 'word', olderNames: [], isNegatable: true, matchesInClient: false, findsHistory: false },
  id: { operand: 'message', olderNames: [], isNegatable: true, matchesInClient: true, findsHistory: true },
  near: { operand: 'message', olderNames: [], isNegatable: false, matchesInClient: false, findsHistory: false },
  with: { operand: 'message', olderNames: [], isNegatable: false, matchesInClient: false, findsHistory: false },
  search: { operand: 'text', olderNames: [], isNegatable: true, matchesInClient: false, findsHistory: false },
} as const;
export type NarrowOperator = keyof typeof NARROW_OPERATORS;
/** The words of `is:`, in the order in which an app offers them. */
export const IS_WORDS = {
  dm: { olderNames: ['private'], matchesInClient: true, findsHistory: false },
  starred: { olderNames: [], matchesInClient: true, findsHistory: true },
  mentioned: { olderNames: [], matchesInClient: true, findsHistory: true },
  alerted: { olderNames: [], matchesInClient: true, findsHistory: true },
  unread: { olderNames: [], matchesInClient: false, findsHistory: true },
  read: { olderNames: [], matchesInClient: false, findsHistory: false, oppositeOf: 'unread' },
  resolved: { olderNames: [], matchesInClient: true, findsHistory: false },
  followed: { olderNames: [], matchesInClient: true, findsHistory: false },
  muted: { olderNames: [], matchesInClient: true, findsHistory: false },
} as const;
export type IsWord = keyof typeof IS_WORDS;
/** The words of `has:`, in the order in which an app offers them. */
export const HAS_WORDS = ['link', 'image', 'attachment', 'reaction'] as const;
export type HasWord = (typeof HAS_WORDS)[number];
/** The words of `in:`. */
export const IN_WORDS = ['home', 'all'] as const;
/** The words of `channels:`. */
export const CHANNELS_WORDS = ['public', 'web-public'] as const;
