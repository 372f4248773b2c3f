/** Turns a received mail into a message. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ApiError } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { administersBot } from '../../access/bots.ts';
import { accessChannel } from '../../access/channels.ts';
import { MAX_MESSAGE_LENGTH } from '../../access/limits.ts';
import { mayRead, readerOf } from '../../access/readable-messages.ts';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';
import { mailSender } from '../../config.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import {
  accountOf,
  type ChannelTarget,
  type GatewayTarget,
  isCurrent,
  type ReplyTarget,
} from '../../domain/notifications/mail-parts/gateway-addresses.ts';
import { MessageActions } from '../../domain/sending/sending/actions.ts';
import type { MessageRequest } from '../../domain/sending/sending/prepare.ts';
import type { Address } from '../../domain/sending/sending/recipients.ts';
import { sendReady } from '../../domain/sending/sending/send.ts';
import { isPassing } from '../../domain/texts/shared/due.ts';
import { truncate } from '../../domain/texts/shared/truncate.ts';
import { fileUrl } from '../../domain/uploads/present.ts';
import { Uploads } from '../../domain/uploads/uploading.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { ReadMail } from './parsing.ts';
import { MailReader, type ReceivedFile } from './parsing-worker.ts';
import * as refusals from './refusal.ts';
import { topicOf } from './topic.ts';

/** Per account. */
const MAX_MAILS_PER_HOUR = 60;
/** All accounts of an organization together. */
const MAX_ORGANIZATION_MAILS_PER_HOUR = 1000;
/** Of one account. One of its mails is received at a time, so that accounts take turns. */
const MAX_WAITING_MAILS_PER_ACCOUNT = 20;
/** A mail about a message accepts replies for so long. */
const REPLY_WITHIN_DAYS = 30;
const TRUNCATED = '\n[message truncated]';
/** The name of the client that messages by mail have. */
const CLIENT = 'email';

/** Who writes where. */
interface Destination {
  readonly sender: UserRecord;
  /** Owns the attachments, and counts for the limit. */
  readonly author: UserRecord;
  readonly address: (mail: ReadMail) => Address;
}

/** A mail as the other server delivers it. */
export interface Delivery {
  /** Its bytes, in pieces. */
  readonly source: readonly Buffer[];
  /** The sender in the envelope, whom mail servers check by SPF. */
  readonly returnAddress: string;
}

/** A mail that was read. */
interface Received extends Pick<Delivery, 'returnAddress'> {
  readonly mail: ReadMail;
  readonly files: readonly ReceivedFile[];
  readonly isReply: boolean;
}

export class Receiver {
  readonly #app: AppContext;
  readonly #messages: MessageActions;
  readonly #reader = new MailReader();
  readonly #accounts = new ConcurrencyLimiter({
    atOnce: 1,
    maxWaiting: MAX_WAITING_MAILS_PER_ACCOUNT,
    refusal: refusals.busy,
  });

  constructor(app: AppContext) {
    this.#app = app;
    this.#messages = new MessageActions(app);
  }

  /**
   * Resolves when the message is sent, or was sent before. Everything that the address says is checked before the mail is read.
   * @throws MailRefusal
   */
  receive(target: GatewayTarget, delivery: Delivery): Promise<void> {
    const account = accountOf(target);
    return this.#accounts.run(account, () => this.#receive(account, target, delivery));
  }

  stop(): Promise<void> {
    return this.#reader.stop();
  }

  async #receive(account: string, target: GatewayTarget, { source, returnAddress }: Delivery): Promise<void> {
    const organization = await this.#app.organizations.byId(target.organizationId);
    if (organization === undefined || organization.directory.organization.isDeactivated)
      throw refusals.unknownAddress();
    const isReply = target.kind === 'reply';
    const to = await (isReply
      ? replyDestination(organization, target)
      : this.#channelDestination(organization, target));
    await this.#checkRate(organization.id, to.author.id);
    const { mail, files } = await this.#reader.read(account, { isReply, own: mailSender(this.#app.config) }, source);
    // A message in return for the mail of a program could cause its next one. Programs and lists may write to channels.
    const isLooping = mail.origin === 'own' || mail.origin === 'answering-program';
    if (isLooping || (isReply && mail.origin !== 'person')) throw refusals.automaticMail();
    if (isReply && !isFrom(mail, to.author)) throw refusals.wrongSender();
    const digest = createHash('sha256')
      .update(`${JSON.stringify(target)}\n${mail.digest}`)
      .digest();
    if (await this.#isKnown(organization.id, to.author.id, digest)) return;
    try {
      await this.#send(organization, to, { mail, files, isReply, returnAddress }, digest);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw isPassing(error) ? refusals.busy() : refusals.notAllowed(error.message);
    }
  }

  async #channelDestination(organization: Organization, target: ChannelTarget): Promise<Destination> {
    const { directory } = organization;
    const { channelId, creatorId, senderId } = target;
    const [author, sender] = [directory.user(creatorId), directory.user(senderId)];
    if (author?.isActive !== true || sender?.isActive !== true) throw refusals.unknownAddress();
    if (!isCurrent(this.#app, target, author.apiKeyVersion)) throw refusals.unknownAddress();
    if (sender.id !== author.id && !administersBot(author, sender)) throw refusals.unknownAddress();
    try {
      // The sender's own rights are checked when it sends.
      accessChannel(directory, author, channelId, 'post');
    } catch (error) {
      throw error instanceof ApiError ? refusals.notAllowed('The channel accepts no mail at this address') : error;
    }
    return { sender, author, address: (mail) => ({ kind: 'channel', channel: channelId, topic: topicOf(mail.title) }) };
  }

  async #send(
    organization: Organization,
    { sender, author, address }: Destination,
    { mail, files, isReply, returnAddress }: Received,
    digest: Buffer,
  ): Promise<void> {
    if (mail.text === '' && files.length === 0) throw refusals.emptyMail();
    const head = isReply || isFrom(mail, author) ? '' : `From: ${originOf(mail)}\n\n`;
    const requestWith = (tail: string, text: string): MessageRequest => {
      const room = MAX_MESSAGE_LENGTH - [...head, ...tail].length;
      const content = `${head}${truncate(text, room, TRUNCATED)}${tail}`.trim();
      return { address: address(mail), content, client: CLIENT, readBySender: true, echo: null };
    };
    const writer = isReply ? author : writerOf(organization.directory, mail, returnAddress);
    const may = async (user: UserRecord) => this.#mayMention(organization, user, requestWith('', mail.text));
    // The message is of the address's user, so that one must be allowed to, too.
    const isLoud = !MENTION.test(mail.text) || (writer !== undefined && (await may(writer)) && (await may(sender)));
    const text = isLoud ? mail.text : withSilentMentions(mail.text);
    // A refused mail must not fill the storage, since it does not count for the limit of mails.
    if (files.length > 0) await this.#messages.ready(organization, sender, requestWith('\n\nfiles', text));
    const links: string[] = [];
    for (const { name, type, content } of files) {
      const file = { name, contentType: type, content: Readable.from([content]), size: () => content.length };
      const kept = await Uploads.of(this.#app).take(organization, sender, file);
      links.push(`[${withSilentMentions(kept.name.replace(/[[\]\\]/g, ''))}](${fileUrl(kept.pathId)})`);
    }
    const tail = [links.join('\n'), leftOutNote(mail)].map((part) => (part === '' ? '' : `\n\n${part}`)).join('');
    const ready = await this.#messages.ready(organization, sender, requestWith(tail, text));
    const sending = organization.transact('server', 'optimistic', async (change) => {
      // Another process may have received the same mail meanwhile.
      const { numAffectedRows } = await sql`
        INSERT INTO received_mails (organization_id, user_id, digest)
        VALUES (${organization.id}, ${author.id}, ${digest}) ON CONFLICT DO NOTHING`.execute(change.db);
      if (numAffectedRows !== 1n) return;
      const refusal = (await sendReady(change, [ready])).find((one) => one instanceof ApiError);
      if (refusal !== undefined) throw refusal;
    });
    await this.#messages.sentReady(sending);
  }

  /** Whether the user could send this message. Its mentions notify only then. */
  async #mayMention(organization: Organization, user: UserRecord, request: MessageRequest): Promise<boolean> {
    try {
      await this.#messages.ready(organization, user, request);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || isPassing(error)) throw error;
      return false;
    }
  }

  /** The index by time bounds the rows: those of the last hour. */
  async #checkRate(organizationId: number, userId: number): Promise<void> {
    const { rows } = await sql<{ of_account: number; of_organization: number }>`
      SELECT count(*)::integer AS of_organization,
             (count(*) FILTER (WHERE user_id = ${userId}))::integer AS of_account
        FROM received_mails
       WHERE organization_id = ${organizationId} AND received_at > now() - interval '1 hour'`.execute(this.#app.db);
    const { of_account: ofAccount = 0, of_organization: ofOrganization = 0 } = rows[0] ?? {};
    if (ofAccount >= MAX_MAILS_PER_HOUR || ofOrganization >= MAX_ORGANIZATION_MAILS_PER_HOUR) {
      throw refusals.tooManyMails();
    }
  }

  /** Index: the primary key. */
  async #isKnown(organizationId: number, userId: number, digest: Buffer): Promise<boolean> {
    const { rows } = await sql`
      SELECT FROM received_mails
       WHERE organization_id = ${organizationId} AND user_id = ${userId} AND digest = ${digest}`.execute(this.#app.db);
    return rows.length > 0;
  }
}

/** The place where the message is now, if the user may still read it. */
async function replyDestination(organization: Organization, { userId, messageId }: ReplyTarget): Promise<Destination> {
  const user = organization.directory.user(userId);
  if (user?.isActive !== true) throw refusals.unknownAddress();
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
    if (row === undefined) throw refusals.lostConversation();
    if (row.is_old) throw refusals.tooOld();
    if (row.channel_id !== null) return { kind: 'channel', channel: row.channel_id, topic: row.topic } as const;
    const others = (row.people ?? []).filter((id) => id !== userId);
    return { kind: 'direct', users: others.length > 0 ? others : [userId] } as const;
  });
  return { sender: user, author: user, address: () => address };
}

const isFrom = ({ from }: ReadMail, { deliveryEmail }: UserRecord): boolean =>
  from.toLowerCase() === deliveryEmail.toLowerCase();

/**
 * The member who wrote a mail to a channel. Everybody can write any address into `From`, so mail servers must have checked it: the envelope
 * has the same one, and their results confirm it.
 */
function writerOf(
  directory: Directory,
  { from, isSenderConfirmed }: ReadMail,
  returnAddress: string,
): UserRecord | undefined {
  if (!isSenderConfirmed || from.toLowerCase() !== returnAddress.toLowerCase()) return undefined;
  const user = directory.userByEmail(from);
  return user?.isActive === true && !user.isBot && user.deliveryEmail.toLowerCase() === from.toLowerCase()
    ? user
    : undefined;
}

/** Of people, groups, channels and topics. */
const MENTION = /@\*/;

/** Mentions notify nobody. This also changes code, so that no text can be code here and a mention for the renderer. */
const withSilentMentions = (text: string): string => text.replace(/@(?=\*)/g, '@_');

/** A name or an address without the characters of mentions and links. */
const plain = (text: string): string => text.replaceAll(/[*`~[\]\\<>#$|\s]+/g, ' ').trim();

/** The name and the address, or the one of them that the mail has. Some programs write the address in place of a missing name. */
function originOf({ fromName, from }: ReadMail): string {
  const [name, address] = [plain(fromName), plain(from)];
  return (
    (name.toLowerCase() === address.toLowerCase() ? [address] : [name, address])
      .filter((part) => part !== '')
      .join(' ') || 'an unknown sender'
  );
}

/** Names the files that are too many; '' if there are none. */
function leftOutNote({ leftOut: { names, count } }: ReadMail): string {
  if (count === 0) return '';
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  return `The mail had too many files. These are missing: ${names.map(plain).join(', ')}${more}`;
}
