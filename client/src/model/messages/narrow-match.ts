import type { MessageRecord } from './message-record.ts';
import type { Narrow, Term } from './narrow.ts';
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
  readonly matches: (message: MessageRecord) => boolean;
  readonly dependsOn: ReadonlySet<Dependency>;
}

/** Operators of narrows that also show messages which the user did not receive, but may read. */
const REACHING = new Set(['channel', 'channels', 'id']);

/** The same for values of `is`: the user's own marks find messages anywhere. */
const MARKED = new Set<Term['operand']>(['starred', 'alerted', 'mentioned', 'unread']);

/**
 * Returns how to decide locally whether a message belongs to the narrow, or undefined if only the server can decide,
 * for example for searches.
 */
export function localMatchOf(narrow: Narrow, context: MatchContext): LocalMatch | undefined {
  const dependsOn = new Set<Dependency>();
  const tests: ((message: MessageRecord) => boolean)[] = [];
  for (const term of narrow) {
    if (term.operator === 'near' || term.operator === 'with') continue;
    const test = testOf(term, context, dependsOn);
    if (test === undefined) return undefined;
    tests.push(term.negated ? (message) => !test(message) : test);
  }
  if (!showsHistory(narrow)) tests.push(({ isHistorical }) => !isHistorical);
  return { matches: (message) => tests.every((test) => test(message)), dependsOn };
}

function showsHistory(narrow: Narrow): boolean {
  return narrow.some(
    ({ operator, operand, negated }) =>
      !negated && (REACHING.has(operator) || (operator === 'is' && MARKED.has(operand))),
  );
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
  const reaching = narrow.filter(({ operator, negated }) => !negated && REACHING.has(operator));
  return reaching.every(({ operator, operand }) => {
    if (operator !== 'channel') return false;
    const channelId = typeof operand === 'number' ? operand : context.channelIdOf(String(operand));
    return channelId !== undefined && context.isSubscribed(channelId);
  });
}

function testOf(
  { operator, operand }: Term,
  context: MatchContext,
  dependsOn: Set<Dependency>,
): ((message: MessageRecord) => boolean) | undefined {
  switch (operator) {
    case 'channel': {
      const channelId = typeof operand === 'number' ? operand : context.channelIdOf(String(operand));
      return ({ place }) => place.kind === 'topic' && place.channelId === channelId;
    }
    case 'topic': {
      const key = topicKey(String(operand));
      return ({ place }) => place.kind === 'topic' && topicKey(place.topic) === key;
    }
    case 'dm': {
      if (typeof operand !== 'object') return undefined;
      const key = [...new Set(operand)].filter((id) => id !== context.ownId).sort((a, b) => a - b);
      return ({ place }) => place.kind === 'direct' && place.userIds.join() === key.join();
    }
    case 'dm-including': {
      if (typeof operand === 'string') return undefined;
      const ids = (typeof operand === 'number' ? [operand] : operand).filter((id) => id !== context.ownId);
      return ({ place }) => place.kind === 'direct' && ids.every((id) => place.userIds.includes(id));
    }
    case 'sender': {
      const userId = senderOf(operand, context);
      return ({ senderId }) => senderId === userId;
    }
    case 'id':
      return ({ id }) => id === Number(operand);
    case 'is':
      return testOfState(String(operand), context, dependsOn);
    default:
      return undefined;
  }
}

function senderOf(operand: Term['operand'], context: MatchContext): number | undefined {
  if (typeof operand === 'number') return operand;
  return operand === 'me' ? context.ownId : context.userIdOf(String(operand));
}

function testOfState(
  state: string,
  context: MatchContext,
  dependsOn: Set<Dependency>,
): ((message: MessageRecord) => boolean) | undefined {
  switch (state) {
    case 'dm':
      return ({ place }) => place.kind === 'direct';
    case 'starred':
      dependsOn.add('flags');
      return ({ isStarred }) => isStarred;
    case 'mentioned':
      return (message) => message.isMentioned || message.isChannelMentioned || message.isTopicMentioned;
    case 'alerted':
      return ({ hasAlertWord }) => hasAlertWord;
    case 'resolved':
      return ({ place }) => place.kind === 'topic' && isResolved(place.topic);
    case 'followed':
      dependsOn.add('topic policies');
      return ({ place }) => place.kind === 'topic' && context.isTopicFollowed(place.channelId, place.topic);
    case 'muted':
      dependsOn.add('topic policies');
      return ({ place }) => place.kind === 'topic' && context.isTopicMuted(place.channelId, place.topic);
    default:
      // `is:unread` too: its messages stay visible while the user reads them.
      return undefined;
  }
}
