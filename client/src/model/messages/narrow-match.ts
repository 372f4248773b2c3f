import type { MessageRecord } from './message-record.ts';
import { conditionsOf, isOperator, isStateWord, type Narrow, type Term } from './narrow.ts';
import { IS_WORDS, NARROW_OPERATORS } from './narrow-vocabulary.ts';
import { isResolved, topicKey } from './places.ts';

/** What the client must know of the organization to decide whether a message matches. */
export interface MatchContext {
  readonly ownId: number;
  /** Whether the topic is muted for the user, by itself or by its channel. */
  isTopicMuted(channelId: number, topic: string): boolean;
  isTopicFollowed(channelId: number, topic: string): boolean;
  channelIdOf(name: string): number | undefined;
  userIdOf(email: string): number | undefined;
  /** Whether events announce the messages of the channel. */
  isSubscribed(channelId: number): boolean;
}

/** What a narrow depends on besides the messages themselves. If it changes, the messages of the narrow change. */
export type Dependency = 'flags' | 'topic policies';

export interface LocalMatch {
  readonly matches: Matches;
  readonly dependsOn: ReadonlySet<Dependency>;
}

type Matches = (message: MessageRecord) => boolean;

/**
 * Returns how to decide locally whether a message belongs to the narrow, or undefined if only the server can decide,
 * for example for searches.
 */
export function localMatchOf(narrow: Narrow, context: MatchContext): LocalMatch | undefined {
  const dependsOn = new Set<Dependency>();
  const tests: Matches[] = [];
  for (const term of conditionsOf(narrow)) {
    const test = testOf(term, context, dependsOn);
    if (test === undefined) return undefined;
    tests.push(term.negated ? (message) => !test(message) : test);
  }
  if (!showsHistory(narrow)) tests.push(({ isHistorical }) => !isHistorical);
  return { matches: (message) => tests.every((test) => test(message)), dependsOn };
}

function showsHistory(narrow: Narrow): boolean {
  return narrow.some(({ operator, operand, negated }) => {
    if (negated) return false;
    // The user's own marks find messages anywhere.
    return reaches(operator) || (operator === 'is' && isStateWord(operand) && IS_WORDS[operand].findsHistory);
  });
}

/** Whether the operator also shows messages that the user did not receive, but may read. */
function reaches(operator: string): boolean {
  return isOperator(operator) && NARROW_OPERATORS[operator].findsHistory;
}

/** Returns whether a message may belong to the narrow, by the terms that the client can decide. */
export function partialMatchOf(narrow: Narrow, context: MatchContext): (message: MessageRecord) => boolean {
  const whole = localMatchOf(narrow, context);
  if (whole !== undefined) return whole.matches;
  const parts = narrow.flatMap((term) => localMatchOf([term], context) ?? []);
  const hasHistory = showsHistory(narrow);
  return (message) =>
    (hasHistory || !message.isHistorical) && parts.every(({ matches }) => matches({ ...message, isHistorical: false }));
}

/**
 * Whether a message can enter the narrow because its flag changed.
 * @param op whether the message gets the flag or loses it
 */
export function canEnterByFlag(narrow: Narrow, flag: string, op: 'add' | 'remove'): boolean {
  return narrow.some(({ operator, operand, negated = false }) => {
    if (operator !== 'is') return false;
    if (operand === 'starred') return flag === 'starred' && (op === 'add') !== negated;
    return operand === 'unread' && flag === 'read' && (op === 'remove') !== negated;
  });
}

/** Whether messages leave the window when they are read. They stay visible while the user reads them. */
export function keepsRead(narrow: Narrow): boolean {
  return narrow.some(({ operator, operand }) => operator === 'is' && operand === 'unread');
}

/**
 * Whether events announce each message of the narrow. The messages of a channel reach only its subscribers, but others can
 * often read them too.
 */
export function isAnnounced(narrow: Narrow, context: MatchContext): boolean {
  const reaching = narrow.filter(({ operator, negated }) => !negated && reaches(operator));
  return reaching.every(({ operator, operand }) => {
    if (operator !== 'channel') return false;
    const channelId = typeof operand === 'number' ? operand : context.channelIdOf(String(operand));
    return channelId !== undefined && context.isSubscribed(channelId);
  });
}

/** The names that the client decides itself, so that each has a test. */
type Matched<Table> = {
  [Name in keyof Table]: Table[Name] extends { readonly matchesInClient: true } ? Name : never;
}[keyof Table];
type MatchedOperator = Matched<typeof NARROW_OPERATORS>;
type MatchedState = Matched<typeof IS_WORDS>;

function testOf({ operator, operand }: Term, context: MatchContext, dependsOn: Set<Dependency>): Matches | undefined {
  if (operator === 'is') return testOfState(operand, context, dependsOn);
  return OPERATOR_TESTS.get(operator)?.(operand, context);
}

type OperatorTest = (operand: Term['operand'], context: MatchContext) => Matches | undefined;

const OPERATOR_TESTS: ReadonlyMap<string, OperatorTest> = new Map(
  Object.entries<OperatorTest>({
    channel: (operand, context) => {
      const channelId = typeof operand === 'number' ? operand : context.channelIdOf(String(operand));
      return ({ place }) => place.kind === 'topic' && place.channelId === channelId;
    },
    topic: (operand) => {
      const key = topicKey(String(operand));
      return ({ place }) => place.kind === 'topic' && topicKey(place.topic) === key;
    },
    dm: (operand, context) => {
      if (typeof operand !== 'object') return undefined;
      const key = [...new Set(operand)].filter((id) => id !== context.ownId).sort((a, b) => a - b);
      return ({ place }) => place.kind === 'direct' && place.userIds.join() === key.join();
    },
    'dm-including': (operand, context) => {
      if (typeof operand === 'string') return undefined;
      const ids = (typeof operand === 'number' ? [operand] : operand).filter((id) => id !== context.ownId);
      return ({ place }) => place.kind === 'direct' && ids.every((id) => place.userIds.includes(id));
    },
    sender: (operand, context) => {
      const userId = senderOf(operand, context);
      return ({ senderId }) => senderId === userId;
    },
    id:
      (operand) =>
      ({ id }) =>
        id === Number(operand),
  } satisfies Readonly<Record<Exclude<MatchedOperator, 'is'>, OperatorTest>>),
);

function senderOf(operand: Term['operand'], context: MatchContext): number | undefined {
  if (typeof operand === 'number') return operand;
  return operand === 'me' ? context.ownId : context.userIdOf(String(operand));
}

function testOfState(word: Term['operand'], context: MatchContext, dependsOn: Set<Dependency>): Matches | undefined {
  const state = STATE_TESTS.get(String(word));
  if (state?.dependsOn !== undefined) dependsOn.add(state.dependsOn);
  return state && ((message) => state.matches(message, context));
}

interface StateTest {
  readonly dependsOn?: Dependency;
  readonly matches: (message: MessageRecord, context: MatchContext) => boolean;
}

const STATE_TESTS: ReadonlyMap<string, StateTest> = new Map(
  Object.entries<StateTest>({
    dm: { matches: ({ place }) => place.kind === 'direct' },
    starred: { dependsOn: 'flags', matches: ({ isStarred }) => isStarred },
    mentioned: {
      matches: (message) => message.isMentioned || message.isChannelMentioned || message.isTopicMentioned,
    },
    alerted: { matches: ({ hasAlertWord }) => hasAlertWord },
    resolved: { matches: ({ place }) => place.kind === 'topic' && isResolved(place.topic) },
    followed: {
      dependsOn: 'topic policies',
      matches: ({ place }, context) => place.kind === 'topic' && context.isTopicFollowed(place.channelId, place.topic),
    },
    muted: {
      dependsOn: 'topic policies',
      matches: ({ place }, context) => place.kind === 'topic' && context.isTopicMuted(place.channelId, place.topic),
    },
  } satisfies Readonly<Record<MatchedState, StateTest>>),
);
