import { type ApiError, badRequest } from '@heddle/api/errors.ts';
import { messageRefusal, type SeenMessage } from '../../access/message-door.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { checkedTopic, storedTopic } from '../topic-names.ts';

/** `PATCH /messages/{message_id}`, decoded. */
export interface EditRequest {
  readonly messageId: number;
  readonly content: string | undefined;
  /** Of the text that the client takes for the present one; SHA-256 in hexadecimal. */
  readonly previousHash: string | undefined;
  readonly topic: string | undefined;
  readonly channelId: number | undefined;
  readonly propagation: 'change_one' | 'change_later' | 'change_all';
}

const RESOLVED = '✔';

/**
 * Whether the request makes sense for this message, which the user sees. (Clients name the topic also where they do not change it.)
 * @throws ApiError if not, and where it moves the message: nobody can do that yet
 */
export function checkRequest(
  directory: Directory,
  user: UserRecord,
  message: SeenMessage,
  { content, topic: named, channelId, propagation }: EditRequest,
): void {
  const topic = named === undefined || storedTopic(named) === message.topic ? undefined : storedTopic(named);
  if (content === undefined && topic === undefined && channelId === undefined) throw badRequest('Nothing to change');
  if (message.channelId === null) {
    if (channelId !== undefined) throw badRequest('Direct messages cannot be moved to channels.');
    if (topic !== undefined) throw badRequest('Direct messages cannot have topics.');
  }
  if (topic === undefined && channelId === undefined) {
    if (propagation !== 'change_one') throw badRequest('Invalid propagate_mode without topic edit');
    return;
  }
  if (topic?.startsWith(RESOLVED) && storedTopic(topic.slice(RESOLVED.length)) === '') {
    throw badRequest('General chat cannot be marked as resolved');
  }
  if (topic !== undefined) checkedTopic(topic);
  if (channelId !== undefined && content !== undefined) {
    throw badRequest('Cannot change message content while changing channel');
  }
  throw moveRefusal(directory, user, message, channelId === undefined ? 'edit-topic' : 'move');
}

function moveRefusal(
  directory: Directory,
  user: UserRecord,
  message: SeenMessage,
  need: 'edit-topic' | 'move',
): ApiError {
  const refusal = messageRefusal(directory, user, message, need, Date.now() / 1000);
  return refusal ?? badRequest('This server cannot move messages to another topic or channel yet.');
}
