import { badRequest } from '@heddle/api/errors.ts';
import type { SeenMessage } from '../../access/message-door.ts';
import { accessDestination, type MoveOfMessage, moveRefusal } from '../../access/message-moves.ts';
import { checkTopicsPolicy } from '../../access/messages.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { checkedTopic, cutTopic, storedTopic } from '../topic-names.ts';
import { bareTopic, isNothingResolved, isResolved, resolvedName } from './resolved.ts';

export type Propagation = 'change_one' | 'change_later' | 'change_all';

/** `PATCH /messages/{message_id}`, decoded. */
export interface EditRequest {
  readonly messageId: number;
  readonly content: string | undefined;
  /** Of the text that the client takes for the present one; SHA-256 in hexadecimal. */
  readonly previousHash: string | undefined;
  readonly topic: string | undefined;
  readonly channelId: number | undefined;
  readonly propagation: Propagation;
  readonly noticeInOldThread: boolean;
  readonly noticeInNewThread: boolean;
}

/** Where a request moves a message that the user sees, and those that go with it. */
export interface PlannedMove extends MoveOfMessage {
  /** As the message that was named has it. */
  readonly fromTopic: string;
  /** Null: each keeps its own. */
  readonly newTopic: string | null;
  readonly propagation: Propagation;
}

/**
 * What the request makes of this message, which the user sees. (Clients name the topic also where they do not change it.)
 * @returns undefined where it stays where it is
 * @throws ApiError for a request that makes no sense for this message, and for a move that the user may not make
 */
export function plannedMove(
  directory: Directory,
  user: UserRecord,
  message: SeenMessage,
  request: EditRequest,
): PlannedMove | undefined {
  const { content, channelId, propagation } = request;
  const from = message.channelId === null ? undefined : directory.channel(message.channelId);
  const asked = request.topic === undefined ? undefined : storedTopic(request.topic);
  const newTopic = asked === undefined || isSpelledSo(message.topic, asked) ? null : asked;
  if (from !== undefined && channelId !== undefined && content !== undefined) {
    throw badRequest('Cannot change message content while changing channel');
  }
  const movesAway = channelId !== undefined && channelId !== from?.id;
  if (content === undefined && newTopic === null && !movesAway) throw badRequest('Nothing to change');
  if (from === undefined) {
    if (channelId !== undefined) throw badRequest('Direct messages cannot be moved to channels.');
    if (newTopic !== null) throw badRequest('Direct messages cannot have topics.');
  }
  if (newTopic === null && !movesAway && propagation !== 'change_one') {
    throw badRequest('Invalid propagate_mode without topic edit');
  }
  if (newTopic !== null && isNothingResolved(newTopic)) {
    throw badRequest('General chat cannot be marked as resolved');
  }
  const checked = newTopic === null ? null : checkedTopic(newTopic);
  if (from === undefined || (newTopic === null && !movesAway)) return undefined;
  const to = movesAway ? accessDestination(directory, user, channelId) : from;
  const move = { from, to, topic: topicChange(message.topic, newTopic, checked), fromTopic: message.topic };
  return allowed(directory, user, message, { ...move, newTopic: checked, propagation });
}

/** Also once what is asked for is cut to the length that topics may have. */
function isSpelledSo(topic: string, asked: string): boolean {
  return asked === topic || cutTopic(asked) === topic;
}

function allowed(directory: Directory, user: UserRecord, message: SeenMessage, move: PlannedMove): PlannedMove {
  checkTopicsPolicy(directory, move.to, move.newTopic ?? message.topic);
  const refusal = moveRefusal(directory, user, move);
  if (refusal !== undefined) throw refusal;
  return move;
}

/** @param cut the new name as it is stored: the mark of a resolved topic may cost it its end */
function topicChange(before: string, asked: string | null, cut: string | null): MoveOfMessage['topic'] {
  if (asked === null || cut === null) return 'kept';
  if (!isResolved(before) && asked === resolvedName(before)) return 'resolved';
  if (isResolved(before) && !isResolved(cut) && cut === bareTopic(before)) return 'unresolved';
  return 'renamed';
}
