import { ApiError, missingParameter, serviceUnavailable } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { checkMayWriteDirectly, mayStartConversations } from '../../../access/messages.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { turn } from '../../../http/limits/turns.ts';
import { type Conversations, conversationsOf } from '../../messages/conversations/actions.ts';
import type { MessageBody } from '../../messages/messages/message-body.ts';
import { possibleChanges, wouldChange } from '../../topics/automatic.ts';
import { linkableFiles } from '../../uploads/links.ts';
import { type ChannelTarget, checkRequest } from './checking.ts';
import { linkedTopics } from './linked-topics.ts';
import { type Draft, isLong, type MessageRequest } from './prepare.ts';
import { ReadyMessage } from './ready-message.ts';
import { linkTargetsIn } from './rendering.ts';
import { plainSends, type SentMessage, sendReady, sendsWithPolicies } from './send.ts';
import { isLostConversation } from './send-message.ts';
import { mayMentionTopic, topicParticipants } from './topic-participants.ts';

/** Looks up what a message needs from the database, and sends it. */
export class MessageActions {
  readonly #app: Pick<AppContext, 'db' | 'address' | 'config' | 'secret'>;
  readonly #conversations: Conversations;

  constructor(app: Pick<AppContext, 'db' | 'pool' | 'address' | 'config' | 'secret'>) {
    this.#app = app;
    this.#conversations = conversationsOf(app);
  }

  /**
   * Sends a message. Resolves when it is durable and this process has applied its events. Returns its id, and the
   * sender's policy for the topic if sending changed it.
   * @throws ApiError if the message is invalid or not allowed
   */
  async send(organization: Organization, caller: UserRecord, request: MessageRequest): Promise<SentMessage> {
    try {
      return await this.#send(organization, caller, request);
    } catch (error) {
      if (!isLostConversation(error)) throw error;
      this.#conversations.forget();
      return this.#send(organization, caller, request);
    }
  }

  async #send(organization: Organization, caller: UserRecord, request: MessageRequest): Promise<SentMessage> {
    const { directory } = organization;
    const draft = await this.#draft(organization, caller, request);
    if (isLong(draft.content)) await turn();
    const message = new ReadyMessage(draft);
    if (message.namesFiles) {
      const [sent] = await organization.transact('server', 'optimistic', (change) => sendReady(change, [message]));
      if (sent instanceof ApiError) throw sent;
      if (sent === undefined) throw new Error('a message was neither sent nor refused');
      return sent;
    }
    const { inTopic } = message.asOf(directory);
    // Usually memory knows that the message changes no policy.
    const possible = inTopic === null ? [] : possibleChanges(organization, inTopic);
    const changesPolicies = possible.length > 0 && (await wouldChange(this.#app.db, organization, possible));
    return organization.inGroup(changesPolicies ? sendsWithPolicies : plainSends, message);
  }

  /**
   * Checks and renders a message without sending it. Another feature sends it in its own change, now or later.
   * @throws ApiError if the message is invalid or not allowed
   */
  async ready(organization: Organization, caller: UserRecord, request: MessageRequest): Promise<ReadyMessage> {
    const draft = await this.#draft(organization, caller, request);
    if (isLong(draft.content)) await turn();
    const texts = [{ user: caller, content: draft.content }];
    const [files] = await linkableFiles(this.#app.db, organization.directory, texts, 'look');
    const message = new ReadyMessage({ ...draft, ...(files && { files }) });
    message.asOf(organization.directory);
    return message;
  }

  /**
   * The result of a transaction that sends ready messages. If a promotion has lost one of their conversations, a repetition begins it again.
   * @throws ApiError `SERVICE_UNAVAILABLE` in that case
   */
  async sentReady<Result>(transaction: Promise<Result>): Promise<Result> {
    try {
      return await transaction;
    } catch (error) {
      if (!isLostConversation(error)) throw error;
      this.#conversations.forget();
      throw serviceUnavailable('The conversation has changed; please try again');
    }
  }

  async #draft(organization: Organization, caller: UserRecord, request: MessageRequest): Promise<Draft> {
    const { directory } = organization;
    // Only to refuse early: an invalid message must not create a conversation. Each preparation checks again.
    const { target } = checkRequest(directory, caller, request);
    const draft: Omit<Draft, 'conversation' | 'conversationExists' | 'topicParticipants'> = {
      ...request,
      senderId: caller.id,
      targets: linkTargetsIn(this.#app, directory),
      linkedTopics: await linkedTopics(this.#app.db, directory, caller, request.content),
    };
    const thread =
      target.kind === 'channel'
        ? await this.#lookUpTopic(organization, caller, target, request.content)
        : await this.#lookUpConversation(organization, caller, target.recipients);
    return { ...draft, ...thread };
  }

  async #lookUpTopic({ id }: Organization, caller: UserRecord, { channel, topic }: ChannelTarget, content: string) {
    return {
      conversation: null,
      conversationExists: false,
      topicParticipants: mayMentionTopic(content)
        ? await topicParticipants(this.#app.db, id, { channelId: channel.id, topic }, caller.id)
        : [],
    };
  }

  async #lookUpConversation(organization: Organization, caller: UserRecord, recipients: readonly UserRecord[]) {
    const { directory } = organization;
    const participants = [caller, ...recipients];
    const userIds = participants.map((user) => user.id);
    const conversationExists =
      mayStartConversations(directory, caller) || (await this.#haveWritten(organization, userIds));
    // Only to refuse early, like the checks before.
    checkMayWriteDirectly(directory, caller, participants, conversationExists);
    const conversation = await this.#conversations.findOrCreate(organization, userIds);
    return { conversation, conversationExists, topicParticipants: [] };
  }

  /** Whether there is a message among exactly these users. Index: messages_by_conversation. */
  async #haveWritten(organization: Organization, userIds: readonly number[]): Promise<boolean> {
    const conversation = await this.#conversations.find(organization, userIds);
    if (conversation === undefined) return false;
    const { rows } = await sql`
      SELECT FROM messages
       WHERE organization_id = ${organization.id} AND conversation_id = ${conversation.id} LIMIT 1`.execute(
      this.#app.db,
    );
    return rows.length > 0;
  }
}

/**
 * How a client recognizes its own message in its queue; null if the request names no queue.
 * @throws ApiError `REQUEST_VARIABLE_MISSING` if it names the queue but not its own id for the message
 */
export function echoOf(queueId: string | undefined, localId: string | undefined): MessageBody['echo'] {
  if (queueId === undefined) return null;
  if (localId === undefined) throw missingParameter('local_id');
  return { queueId, localId };
}
