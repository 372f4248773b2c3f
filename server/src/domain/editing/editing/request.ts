import { badRequest } from '@heddle/api/errors.ts';
import type { SeenMessage } from '../../../access/message-door.ts';
import { accessDestination, type MoveOfMessage, moveRefusal } from '../../../access/message-moves.ts';
import { checkTopicsPolicy } from '../../../access/messages.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { checkedTopic, cutTopic, storedTopic } from '../../texts/shared/topic-names.ts';
import { bareTopic, isNothingResolved, isResolved, resolvedName } from './resolved.ts';

export type Propagation = 'change_one' | 'change_later' | 'change_all';

/** `PATCH /messages/{message_id}`, decoded. */
export interface EditRequest {
  readonly messageId: number;
  readonly content: string | undefined;
  /** The hash of the text that the client expects; SHA-256 in hexadecimal. */
  readonly previousHash: string | undefined;
  readonly topic: string | undefined;
  readonly channelId: number | undefined;
  readonly propagation: Propagation;
  readonly noticeInOldThread: boolean;
  readonly noticeInNewThread: boolean;
}

/** The target of a move: of the named message and those that move with it. */
export interface PlannedMove extends MoveOfMessage {
  /** The topic of the named message, in its own spelling. */
  readonly fromTopic: string;
  /** Null: each message keeps its topic. */
  readonly newTopic: string | null;
  readonly propagation: Propagation;
}

/**
 * Decides where the request moves this message, which the user can see. Clients also send a topic that they do not
 * change.
 * @returns undefined if the message stays where it is
 * @throws ApiError if the request does not fit this message, or the user is not allowed to move it
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

/** Also true if the requested topic equals the present one after it is cut to the maximum length. */
function isSpelledSo(topic: string, asked: string): boolean {
  return asked === topic || cutTopic(asked) === topic;
}

function allowed(directory: Directory, user: UserRecord, message: SeenMessage, move: PlannedMove): PlannedMove {
  checkTopicsPolicy(directory, move.to, move.newTopic ?? message.topic);
  const refusal = moveRefusal(directory, user, move);
  if (refusal !== undefined) throw refusal;
  return move;
}

/** @param cut the new topic as it is stored: the mark for a resolved topic can displace its last characters */
function topicChange(before: string, asked: string | null, cut: string | null): MoveOfMessage['topic'] {
  if (asked === null || cut === null) return 'kept';
  if (!isResolved(before) && asked === resolvedName(before)) return 'resolved';
  if (isResolved(before) && !isResolved(cut) && cut === bareTopic(before)) return 'unresolved';
  return 'renamed';
}
