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
  const told = message();
  return narrow.every(([operator, operand]) => matches(operator, operand, told, arrival));
}

function matches(operator: string, operand: string, message: MessageContent, arrival: () => FlagFacts): boolean {
  const { channel, sender } = message;
  switch (operator) {
    case 'channel':
      return channel !== null && (sameText(channel.name, operand) || String(channel.id) === operand);
    case 'topic':
      return channel !== null && sameText(message.topic, storedTopic(operand));
    case 'sender':
      return sameText(sender.email, operand) || String(sender.id) === operand;
    default:
      return matchesIs(operand, message, arrival());
  }
}

function matchesIs(operand: string, message: MessageContent, arrival: FlagFacts): boolean {
  switch (operand) {
    case 'dm':
      return message.channel === null;
    case 'mentioned':
      return arrival.mentionsChannel || (arrival.bits & (FlagBit.mentioned | FlagBit.topicMentioned)) !== 0;
    case 'alerted':
      return (arrival.bits & FlagBit.alerted) !== 0;
    case 'unread':
      return arrival.isUnread;
    case 'resolved':
      return message.channel !== null && message.topic.startsWith(RESOLVED);
    default:
      // A new message cannot be starred yet.
      return false;
  }
}

function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
