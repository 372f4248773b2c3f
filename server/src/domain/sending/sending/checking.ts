import { badRequest } from '@heddle/api/errors.ts';
import { accessChannel } from '../../../access/channels.ts';
import { MAX_MESSAGE_LENGTH } from '../../../access/limits.ts';
import { checkTopicsPolicy } from '../../../access/messages.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { ChannelRecord, UserRecord } from '../../../directory/records.ts';
import { checkedTopic } from '../../texts/shared/topic-names.ts';
import { truncate } from '../../texts/shared/truncate.ts';
import { type Address, findRecipients } from './recipients.ts';

/** A message that the sender may send, as far as its text and its address decide. */
export interface CheckedRequest {
  /** The text in its stored form. */
  readonly content: string;
  readonly target: ChannelTarget | DirectTarget;
}

export interface ChannelTarget {
  readonly kind: 'channel';
  readonly channel: ChannelRecord;
  readonly topic: string;
}

export interface DirectTarget {
  readonly kind: 'direct';
  /** The named users. The sender need not be among them. */
  readonly recipients: readonly UserRecord[];
}

/**
 * Checks the text and the address of a message with the directory of this moment. `prepareMessage` calls it for each directory
 * with which the message may be sent, and that call decides. `MessageActions` calls it before the lookups, so that a refused message
 * causes none of them and creates no conversation.
 *
 * Two checks follow where their inputs are known: `checkMayWriteDirectly` needs to know whether the conversation exists, and
 * `checkWildcards` needs the rendered text.
 * @throws ApiError if the message is invalid or not allowed
 */
export function checkRequest(
  directory: Directory,
  sender: UserRecord,
  request: { readonly address: Address; readonly content: string },
): CheckedRequest {
  const content = checkedContent(request.content);
  const { address } = request;
  if (address.kind === 'direct') {
    return { content, target: { kind: 'direct', recipients: findRecipients(directory, sender, address.users) } };
  }
  const channel = accessChannel(directory, sender, address.channel, 'post');
  const topic = checkedTopic(address.topic);
  checkTopicsPolicy(directory, channel, topic);
  return { content, target: { kind: 'channel', channel, topic } };
}

/**
 * Returns the text in its stored form: without white space at its end and without blank lines at its start. Spaces
 * before the first word stay, because they can mean code.
 * @throws ApiError for a text without visible characters
 */
export function checkedContent(content: string): string {
  const text = content.trimEnd().replace(/^\n+/, '');
  if (text.trim() === '') throw badRequest('Message must not be empty');
  return truncate(text, MAX_MESSAGE_LENGTH, '\n[message truncated]');
}
