import type { QueueOperator, QueueState } from '@heddle/api/narrow-vocabulary.ts';
import { FlagBit } from '../../../db/flag-bits.ts';
import type { Queue } from '../../../log/queue.ts';
import { RESOLVED, storedTopic } from '../../texts/shared/topic-names.ts';
import type { FlagFacts } from './flags.ts';
import type { MessageContent } from './message-body.ts';

/**
 * Whether a new message is in the queue's narrow (`narrow` of `POST /register`).
 * @param message in the form that the queue's user can see
 * @param arrival the state of the message for the queue's user when it arrives
 */
export function isInNarrow(
  { settings: { narrow } }: Queue,
  message: () => MessageContent,
  arrival: () => FlagFacts,
): boolean {
  if (narrow.length === 0) return true;
  const content = message();
  return narrow.every(([operator, operand]) => OPERATORS.get(operator)?.(operand, content, arrival) ?? false);
}

type OperatorTest = (operand: string, message: MessageContent, arrival: () => FlagFacts) => boolean;
type StateTest = (message: MessageContent, arrival: FlagFacts) => boolean;

const OPERATORS: ReadonlyMap<string, OperatorTest> = new Map(
  Object.entries<OperatorTest>({
    channel: (operand, { channel }) =>
      channel !== null && (sameText(channel.name, operand) || String(channel.id) === operand),
    topic: (operand, { channel, topic }) => channel !== null && sameText(topic, storedTopic(operand)),
    sender: (operand, { sender }) => sameText(sender.email, operand) || String(sender.id) === operand,
    is: (operand, message, arrival) => STATES.get(operand)?.(message, arrival()) ?? false,
  } satisfies Readonly<Record<QueueOperator, OperatorTest>>),
);

const STATES: ReadonlyMap<string, StateTest> = new Map(
  Object.entries<StateTest>({
    dm: ({ channel }) => channel === null,
    // A new message cannot be starred yet.
    starred: () => false,
    mentioned: (_, { mentionsChannel, bits }) =>
      mentionsChannel || (bits & (FlagBit.mentioned | FlagBit.topicMentioned)) !== 0,
    alerted: (_, { bits }) => (bits & FlagBit.alerted) !== 0,
    unread: (_, { isUnread }) => isUnread,
    resolved: ({ channel, topic }) => channel !== null && topic.startsWith(RESOLVED),
  } satisfies Readonly<Record<QueueState, StateTest>>),
);

function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
