/** The messages of bots on behalf of their services. The transaction that ends the request sends them, so each is sent once. */
import { ApiError } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { MessageContent } from '../../domain/messages/messages/message-body.ts';
import { MessageActions } from '../../domain/sending/sending/actions.ts';
import { silentMention } from '../../domain/sending/sending/notices.ts';
import type { ReadyMessage } from '../../domain/sending/sending/ready-message.ts';
import type { Address } from '../../domain/sending/sending/recipients.ts';
import { sendReady } from '../../domain/sending/sending/send.ts';
import { isPassing } from '../../domain/texts/shared/due.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { directMessagePath, messagePath } from '../../markup/index.ts';
import type { Failure, Reply } from './answers.ts';
import { type Claimed, end } from './waiting.ts';

/** The client name that the reference uses. */
const CLIENT = 'OutgoingWebhookResponse';
/** Characters of a service's response that the owner sees. */
const MAX_SHOWN_RESPONSE_LENGTH = 1000;

/** The message to the bot. */
export interface Spoken {
  readonly organization: Organization;
  readonly bot: UserRecord;
  readonly claimed: Claimed;
  readonly message: MessageContent;
}

export class Replies {
  readonly #app: Pick<AppContext, 'address'>;
  readonly #messages: MessageActions;

  constructor(app: AppContext) {
    this.#app = app;
    this.#messages = new MessageActions(app);
  }

  /**
   * Sends the reply in the conversation.
   * @returns why it cannot be sent; then the request is not ended
   */
  async reply({ organization, bot, claimed, message }: Spoken, reply: Reply): Promise<ApiError | undefined> {
    const ready = await this.#ready(organization, bot, addressOf(bot, message), reply);
    return ready instanceof ApiError ? ready : commit(organization, claimed, [ready], 'all');
  }

  /** Reports a failure in the conversation. */
  async failed(spoken: Spoken, text: string): Promise<void> {
    await this.#fail(spoken, [{ address: addressOf(spoken.bot, spoken.message), content: `Failure! ${text}` }]);
  }

  /** The same, and informs the bot's owner of the reason. Either is omitted where the bot may not write. */
  async failedBy(spoken: Spoken, failure: Failure): Promise<void> {
    const { organization, bot, message } = spoken;
    const { text } = failure;
    const owner = bot.botOwnerId === null ? undefined : organization.directory.user(bot.botOwnerId);
    await this.#fail(spoken, [
      { address: addressOf(bot, message), content: `Failure! ${text}` },
      ...(owner?.isActive
        ? [{ address: { kind: 'direct', users: [owner.id] } as const, content: this.#notice(spoken, failure) }]
        : []),
    ]);
  }

  async #fail(
    { organization, bot, claimed }: Spoken,
    texts: readonly { readonly address: Address; readonly content: string }[],
  ): Promise<void> {
    const ready: ReadyMessage[] = [];
    for (const { address, content } of texts) {
      const one = await this.#ready(organization, bot, address, { content, widget: undefined });
      if (!(one instanceof ApiError)) ready.push(one);
    }
    await commit(organization, claimed, ready, 'those that may');
  }

  async #ready(
    organization: Organization,
    bot: UserRecord,
    address: Address,
    { content, widget }: Reply,
  ): Promise<ReadyMessage | ApiError> {
    try {
      const request = { address, content, client: CLIENT, readBySender: false, echo: null, widget };
      return await this.#messages.ready(organization, bot, request);
    } catch (error) {
      if (error instanceof ApiError && !isPassing(error)) return error;
      throw error;
    }
  }

  #notice({ organization, bot, claimed, message }: Spoken, { reason, payload = '' }: Failure): string {
    const url = this.#app.address.of(organization.directory.organization.subdomain);
    const { channel, participants } = message;
    const path =
      channel === null
        ? directMessagePath(
            participants.map(({ id }) => id),
            claimed.message_id,
          )
        : messagePath(channel, message.topic, `${claimed.message_id}`);
    const lines = [
      `[A message](${url}${path}) to your bot ${silentMention(bot)} triggered an outgoing webhook.`,
      reason,
    ];
    // JSON is one line, so it cannot end the block.
    const shown = JSON.stringify(payload.slice(0, MAX_SHOWN_RESPONSE_LENGTH).toWellFormed());
    if (payload !== '') lines.push('The response contains the following payload:', '```', shown, '```');
    return lines.join('\n');
  }
}

function addressOf(bot: UserRecord, { channel, topic, participants }: MessageContent): Address {
  if (channel !== null) return { kind: 'channel', channel: channel.id, topic };
  const others = participants.map(({ id }) => id).filter((id) => id !== bot.id);
  return { kind: 'direct', users: others.length > 0 ? others : [bot.id] };
}

/**
 * Sends the messages and ends the request, unless it was ended already.
 * @param which `all`: if one cannot be sent, none is, and the request is not ended
 * @returns why a message cannot be sent
 */
function commit(
  organization: Organization,
  claimed: Claimed,
  messages: readonly ReadyMessage[],
  which: 'all' | 'those that may',
): Promise<ApiError | undefined> {
  return organization
    .transact('server', 'optimistic', async (change) => {
      if (!(await end(change.db, claimed))) return undefined;
      const refusal = (await sendReady(change, messages)).find((one) => one instanceof ApiError);
      if (refusal !== undefined && which === 'all') throw refusal;
      return undefined;
    })
    .catch((error: unknown) => {
      if (error instanceof ApiError && !isPassing(error)) return error;
      throw error;
    });
}
