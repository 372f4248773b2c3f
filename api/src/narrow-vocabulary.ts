/**
 * The vocabulary of narrows: the operators of terms, and the words that some of them take. The server derives from it what
 * requests and queues accept. `npm run generate` writes it for the client and the app. Queries, tests of messages and texts
 * are typed by these names. So a new name does not compile until each of them has it.
 */

/** What an operator takes. A `sender` is a user or `me`, a `word` is one of a list, and a `text` is what messages contain. */
export type OperandKind = 'channel' | 'topic' | 'users' | 'user' | 'sender' | 'message' | 'word' | 'text';

interface OperatorTraits {
  readonly operand: OperandKind;
  /** Names that older clients and their links use. */
  readonly olderNames: readonly string[];
  /** False for an operator that only names a message to open at. Such a term is no condition, so negation changes nothing. */
  readonly isNegatable: boolean;
  /** The names that are valid in the narrow of an event queue. */
  readonly namesInQueue: readonly string[];
  /** The names that are valid in narrows of spectators. */
  readonly namesForSpectators: readonly string[];
  /** Whether the client can decide which messages match. Otherwise it asks the server. */
  readonly matchesInClient: boolean;
  /** Whether it also finds channel messages that the user did not receive but can read. */
  readonly findsHistory: boolean;
  /** The operator that clients show instead, and that finds more. */
  readonly replacedBy?: string;
}

export const NARROW_OPERATORS = {
  channel: {
    operand: 'channel',
    olderNames: ['stream'],
    isNegatable: true,
    namesInQueue: ['channel', 'stream'],
    namesForSpectators: ['channel', 'stream'],
    matchesInClient: true,
    findsHistory: true,
  },
  channels: {
    operand: 'word',
    olderNames: ['streams'],
    isNegatable: true,
    namesInQueue: [],
    namesForSpectators: ['channels', 'streams'],
    matchesInClient: false,
    findsHistory: true,
  },
  topic: {
    operand: 'topic',
    olderNames: ['subject'],
    isNegatable: true,
    namesInQueue: ['topic', 'subject'],
    namesForSpectators: ['topic'],
    matchesInClient: true,
    findsHistory: false,
  },
  dm: {
    operand: 'users',
    olderNames: ['pm-with', 'pm_with'],
    isNegatable: true,
    namesInQueue: [],
    namesForSpectators: [],
    matchesInClient: true,
    findsHistory: false,
  },
  'dm-including': {
    operand: 'user',
    olderNames: [],
    isNegatable: true,
    namesInQueue: [],
    namesForSpectators: [],
    matchesInClient: true,
    findsHistory: false,
  },
  /** Finds only conversations of at least three users. */
  'group-pm-with': {
    operand: 'user',
    olderNames: [],
    isNegatable: true,
    namesInQueue: [],
    namesForSpectators: [],
    matchesInClient: false,
    findsHistory: false,
    replacedBy: 'dm-including',
  },
  sender: {
    operand: 'sender',
    olderNames: ['from'],
    isNegatable: true,
    namesInQueue: ['sender'],
    namesForSpectators: ['sender'],
    matchesInClient: true,
    findsHistory: false,
  },
  is: {
    operand: 'word',
    olderNames: [],
    isNegatable: true,
    namesInQueue: ['is'],
    namesForSpectators: [],
    matchesInClient: true,
    findsHistory: false,
  },
  has: {
    operand: 'word',
    olderNames: [],
    isNegatable: true,
    namesInQueue: [],
    namesForSpectators: ['has'],
    matchesInClient: false,
    findsHistory: false,
  },
  in: {
    operand: 'word',
    olderNames: [],
    isNegatable: true,
    namesInQueue: [],
    namesForSpectators: [],
    matchesInClient: false,
    findsHistory: false,
  },
  id: {
    operand: 'message',
    olderNames: [],
    isNegatable: true,
    namesInQueue: [],
    namesForSpectators: ['id'],
    matchesInClient: true,
    findsHistory: true,
  },
  near: {
    operand: 'message',
    olderNames: [],
    isNegatable: false,
    namesInQueue: [],
    namesForSpectators: ['near'],
    matchesInClient: false,
    findsHistory: false,
  },
  with: {
    operand: 'message',
    olderNames: [],
    isNegatable: false,
    namesInQueue: [],
    namesForSpectators: ['with'],
    matchesInClient: false,
    findsHistory: false,
  },
  search: {
    operand: 'text',
    olderNames: [],
    isNegatable: true,
    namesInQueue: [],
    namesForSpectators: ['search'],
    matchesInClient: false,
    findsHistory: false,
  },
} as const satisfies Readonly<Record<string, OperatorTraits>>;

export type NarrowOperator = keyof typeof NARROW_OPERATORS;

interface IsWordTraits {
  readonly olderNames: readonly string[];
  /** In the narrow of an event queue, an ignored word excludes nothing, like an unknown one. A refused word is an error. */
  readonly inQueue: 'applied' | 'ignored' | 'refused';
  /** As for operators. */
  readonly matchesInClient: boolean;
  readonly findsHistory: boolean;
  /** The word that means the opposite. The server selects messages only by that one. */
  readonly oppositeOf?: string;
}

/** The words of `is:`, in the order in which the app offers them. */
export const IS_WORDS = {
  dm: { olderNames: ['private'], inQueue: 'applied', matchesInClient: true, findsHistory: false },
  starred: { olderNames: [], inQueue: 'applied', matchesInClient: true, findsHistory: true },
  mentioned: { olderNames: [], inQueue: 'applied', matchesInClient: true, findsHistory: true },
  alerted: { olderNames: [], inQueue: 'applied', matchesInClient: true, findsHistory: true },
  /** The client asks the server, because the messages stay visible while the user reads them. */
  unread: { olderNames: [], inQueue: 'applied', matchesInClient: false, findsHistory: true },
  read: { olderNames: [], inQueue: 'ignored', matchesInClient: false, findsHistory: false, oppositeOf: 'unread' },
  resolved: { olderNames: [], inQueue: 'applied', matchesInClient: true, findsHistory: false },
  followed: { olderNames: [], inQueue: 'refused', matchesInClient: true, findsHistory: false },
  muted: { olderNames: [], inQueue: 'ignored', matchesInClient: true, findsHistory: false },
} as const satisfies Readonly<Record<string, IsWordTraits>>;

export type IsWord = keyof typeof IS_WORDS;

/** The words of `has:`, in the order in which the app offers them. */
export const HAS_WORDS = ['link', 'image', 'attachment', 'reaction'] as const;

export type HasWord = (typeof HAS_WORDS)[number];

/** The words of `in:`. */
export const IN_WORDS = ['home', 'all'] as const;

/** The words of `channels:`. */
export const CHANNELS_WORDS = ['public', 'web-public'] as const;

export type ChannelsWord = (typeof CHANNELS_WORDS)[number];

/** The names in a table whose entry has these traits. */
type NamesWith<Table, Traits> = { [Name in keyof Table]: Table[Name] extends Traits ? Name : never }[keyof Table];

/** The words of `is:` by which the server selects messages. */
export type NarrowState = Exclude<IsWord, NamesWith<typeof IS_WORDS, { readonly oppositeOf: string }>>;

/** The words of `is:` that can be applied to a new message. */
export type QueueState = NamesWith<typeof IS_WORDS, { readonly inQueue: 'applied' }>;

/** The operators that can be applied to a new message. */
export type QueueOperator = NamesWith<
  typeof NARROW_OPERATORS,
  { readonly namesInQueue: readonly [string, ...string[]] }
>;

/** The operator with this name, current or older. */
export function operatorNamed(name: string): NarrowOperator | undefined {
  return OPERATORS_BY_NAME.get(name);
}

/** The word of `is:` with this name, current or older. */
export function isWordNamed(name: string): IsWord | undefined {
  return IS_WORDS_BY_NAME.get(name);
}

const OPERATORS_BY_NAME = byName<NarrowOperator>(NARROW_OPERATORS);
const IS_WORDS_BY_NAME = byName<IsWord>(IS_WORDS);

function byName<Name extends string>(
  table: Readonly<Record<Name, { readonly olderNames: readonly string[] }>>,
): ReadonlyMap<string, Name> {
  const names = Object.keys(table) as Name[];
  return new Map(names.flatMap((name) => [name, ...table[name].olderNames].map((one) => [one, name] as const)));
}
