/** Turns a received mail into a message. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ApiError } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type PostalMime from 'postal-mime';
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../../access/limits.ts';
import { mayRead, readerOf } from '../../access/readable-messages.ts';
import { mailSender } from '../../config.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { ChannelTarget, GatewayTarget, ReplyTarget } from '../../domain/mail-parts/gateway-addresses.ts';
import { messageBlock } from '../../domain/mail-parts/message-block.ts';
import { MessageActions } from '../../domain/sending/actions.ts';
import type { Address } from '../../domain/sending/recipients.ts';
import { sendReady } from '../../domain/sending/send.ts';
import { isPassing } from '../../domain/shared/due.ts';
import { truncate } from '../../domain/shared/truncate.ts';
import { fileUrl } from '../../domain/uploads/present.ts';
import { Uploads } from '../../domain/uploads/uploading.ts';
import type { AppContext } from '../../extension/app-context.ts';
import * as refusals from './refusal.ts';
import { replyText } from './reply-text.ts';

/** Per account. */
const MAX_MAILS_PER_HOUR = 60;
/** A mail about a message accepts replies for so long. */
const REPLY_WITHIN_DAYS = 30;
const MAX_ATTACHMENTS = 10;
/** Characters of a text that are examined for quotes. */
const MAX_TEXT_LENGTH = 200_000;
const TRUNCATED = '\n[message truncated]';
/** The name of the client that messages by mail have. */
const CLIENT = 'email';

type ParsedMail = Awaited<ReturnType<typeof PostalMime.parse>>;

/** Who writes where. */
interface Destination {
  readonly sender: UserRecord;
  /** Owns the attachments, and counts for the limit. */
  readonly author: UserRecord;
  readonly address: Address;
  /** Whether the mail is a reply, whose quotes are cut. */
  readonly isReply: boolean;
}

export class Receiver {
  readonly #app: AppContext;
  readonly #messages: MessageActions;

  constructor(app: AppContext) {
    this.#app = app;
    this.#messages = new MessageActions(app);
  }

  /**
   * Resolves when the message is sent, or was sent before.
   * @throws MailRefusal
   */
  async receive(target: GatewayTarget, source: Buffer): Promise<void> {
    const { default: parser } = await import('postal-mime');
    const mail = await parser.parse(source, { maxNestingDepth: 20, maxHeadersSize: 100_000 });
    if (isAutomatic(mail, ownHost(this.#app))) throw refusals.automaticMail();
    const organization = await this.#app.organizations.byId(target.organizationId);
    if (organization === undefined || organization.directory.organization.isDeactivated)
      throw refusals.unknownAddress();
    const to = await (target.kind === 'reply'
      ? this.#replyDestination(organization, target, mail)
      : this.#channelDestination(organization, target, mail));
    const digest = digestOf(target, mail, source);
    await this.#checkRate(organization.id, to.author.id);
    if (await this.#isKnown(organization.id, to.author.id, digest)) return;
    try {
      await this.#send(organization, to, mail, digest);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw isPassing(error) ? refusals.busy() : refusals.notAllowed(error.message);
    }
  }

  /** The place where the message is now, if the user may still read it. */
  async #replyDestination(
    organization: Organization,
    { userId, messageId }: ReplyTarget,
    mail: ParsedMail,
  ): Promise<Destination> {
    const user = organization.directory.user(userId);
    if (user?.isActive !== true) throw refusals.unknownAddress();
    if (mail.from?.address?.toLowerCase() !== user.deliveryEmail.toLowerCase()) throw refusals.wrongSender();
    const address = await organization.read(user, async ({ db, directory, caller }) => {
      const { rows } = await sql<{
        channel_id: number | null;
        topic: string;
        people: number[] | null;
        is_old: boolean;
      }>`
        SELECT m.channel_id, m.topic, m.sent_at < now() - make_interval(days => ${REPLY_WITHIN_DAYS}) AS is_old,
               (SELECT participants FROM direct_conversations c
                 WHERE c.organization_id = ${organization.id} AND c.id = m.conversation_id) AS people
          FROM messages m
         WHERE m.organization_id = ${organization.id} AND m.id = ${messageId} AND ${mayRead(readerOf(directory, caller))}`.execute(
        db,
      );
      const [row] = rows;
      if (row === undefined) throw refusals.unknownAddress();
      if (row.is_old) throw refusals.tooOld();
      if (row.channel_id !== null) return { kind: 'channel', channel: row.channel_id, topic: row.topic } as const;
      const others = (row.people ?? []).filter((id) => id !== userId);
      return { kind: 'direct', users: others.length > 0 ? others : [userId] } as const;
    });
    return { sender: user, author: user, address, isReply: true };
  }

  async #channelDestination(
    { directory }: Organization,
    { channelId, creatorId, senderId }: ChannelTarget,
    mail: ParsedMail,
  ): Promise<Destination> {
    const [author, sender] = [directory.user(creatorId), directory.user(senderId)];
    if (author?.isActive !== true || sender?.isActive !== true) throw refusals.unknownAddress();
    return {
      sender,
      author,
      address: { kind: 'channel', channel: channelId, topic: topicOf(mail) },
      isReply: false,
    };
  }

  async #send(organization: Organization, to: Destination, mail: ParsedMail, digest: Buffer): Promise<void> {
    const text = textOf(mail, to.isReply);
    const attachments = mail.attachments
      .filter(({ disposition }) => disposition === 'attachment')
      .slice(0, MAX_ATTACHMENTS);
    if (text === '' && attachments.length === 0) throw refusals.emptyMail();
    const files: string[] = [];
    for (const { filename, mimeType, content } of attachments) {
      const bytes = Buffer.from(typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content));
      const file = {
        name: filename ?? 'file',
        contentType: mimeType,
        content: Readable.from([bytes]),
        size: () => bytes.length,
      };
      const { name, pathId } = await Uploads.of(this.#app).take(organization, to.sender, file);
      files.push(`[${name.replace(/[[\]\\]/g, '')}](${fileUrl(pathId)})`);
    }
    const from = mail.from?.address ?? '';
    const isOther = !to.isReply && from.toLowerCase() !== to.author.deliveryEmail.toLowerCase();
    const head = isOther ? `From: ${oneLine(mail.from?.name ?? '')} ${oneLine(from)}\n\n` : '';
    const tail = files.length === 0 ? '' : `\n\n${files.join('\n')}`;
    const room = MAX_MESSAGE_LENGTH - [...head, ...tail].length;
    const content = `${head}${truncate(text, room, TRUNCATED)}${tail}`.trim();
    const request = { address: to.address, content, client: CLIENT, readBySender: true, echo: null };
    const ready = await this.#messages.ready(organization, to.sender, request);
    await organization.transact('server', 'optimistic', async (change) => {
      // Another process may have received the same mail meanwhile.
      const { numAffectedRows } = await sql`
        INSERT INTO received_mails (organization_id, user_id, digest)
        VALUES (${organization.id}, ${to.author.id}, ${digest}) ON CONFLICT DO NOTHING`.execute(change.db);
      if (numAffectedRows !== 1n) return;
      const refusal = (await sendReady(change, [ready])).find((one) => one instanceof ApiError);
      if (refusal !== undefined) throw refusal;
    });
  }

  /** Index: the primary key. */
  async #checkRate(organizationId: number, userId: number): Promise<void> {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM received_mails
       WHERE organization_id = ${organizationId} AND user_id = ${userId}
         AND received_at > now() - interval '1 hour'`.execute(this.#app.db);
    if ((rows[0]?.count ?? 0) >= MAX_MAILS_PER_HOUR) throw refusals.tooManyMails();
  }

  /** Index: the primary key. */
  async #isKnown(organizationId: number, userId: number, digest: Buffer): Promise<boolean> {
    const { rows } = await sql`
      SELECT FROM received_mails
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND digest = ${digest}`.execute(this.#app.db);
    return rows.length > 0;
  }
}

/** Answers of programs, mails of lists, and our own mails: a message in return could cause the next one (RFC 3834). */
function isAutomatic({ headers, messageId = '' }: ParsedMail, host: string): boolean {
  const header = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase();
  const automatic = header('auto-submitted');
  if (automatic !== undefined && automatic !== 'no') return true;
  if (['list-id', 'list-unsubscribe', 'x-autoreply', 'x-autorespond'].some((name) => header(name) !== undefined))
    return true;
  if (['bulk', 'list', 'junk', 'auto_reply'].includes(header('precedence') ?? '')) return true;
  return messageId.toLowerCase().endsWith(`@${host}>`);
}

/** The host in the ids of our own mails. */
function ownHost({ config }: Pick<AppContext, 'config'>): string {
  const { address } = mailSender(config);
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/** The same for each delivery of a mail to the address. */
function digestOf(target: GatewayTarget, { messageId }: ParsedMail, source: Buffer): Buffer {
  const hash = createHash('sha256').update(`${JSON.stringify(target)}\n`);
  return hash.update(messageId ?? source).digest();
}

/** The text part, or the text of the HTML part. */
function textOf({ text = '', html = '' }: ParsedMail, isReply: boolean): string {
  const written = text.trim() === '' ? messageBlock(html.slice(0, MAX_TEXT_LENGTH), 'mailto:').text : text;
  const given = written.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\0', '');
  return isReply ? replyText(given) : given.replace(/\r\n?/g, '\n').trim();
}

function topicOf({ subject: title = '' }: ParsedMail): string {
  // wire name: of a mail's header
  const bare = oneLine(title)
    .replace(/^((re|fwd?|aw|wg):\s*)+/i, '')
    .trim();
  return truncate(bare === '' ? 'Email with no subject' : bare, MAX_TOPIC_LENGTH, '…');
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
