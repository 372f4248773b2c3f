/** What the server reads of a mail. This runs in a worker process (`parsing-program.ts`), because a mail can be hostile. */
import { createHash } from 'node:crypto';
import PostalMime, { type Attachment } from 'postal-mime';
import { MAX_MESSAGE_LENGTH } from '../../access/limits.ts';
import { withoutStopLinks } from '../../domain/notifications/mail-parts/stop-link.ts';
import { truncate } from '../../domain/texts/shared/truncate.ts';
import { withoutTurns } from '../../http/bodies/directions.ts';
import { isOwnMessageId } from '../../mail/message-ids.ts';
import { markdownOf } from './html-to-markdown.ts';
import { filesOf } from './mail-files.ts';
import { withClosedQuotes } from './quoted-lines.ts';
import { type OwnSender, replyText, withoutFooter } from './reply-text.ts';
import { isSenderConfirmed } from './sender.ts';

/** Characters of a text that are examined for quotes. */
const MAX_TEXT_LENGTH = 200_000;
/** Of HTML, whose styles can be longer than its text. */
const MAX_HTML_LENGTH = 500_000;
/** Enough to see that a text is too long for a message. */
const MAX_RESULT_LENGTH = 2 * (MAX_MESSAGE_LENGTH + 1);
/** Of a title, a name, an address. */
const MAX_LINE_LENGTH = 300;
/** Of the name of a file that is not kept. */
const MAX_NAME_LENGTH = 60;
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 250_000, maxRfc822NestingDepth: 3 };

/** What wrote the mail: a person, a list or a program, a program that answers mails, or this server. */
export type MailOrigin = 'person' | 'program' | 'answering-program' | 'own';

export interface ReadingRequest {
  /** Whether the mail is a reply, whose quotes are cut. */
  readonly isReply: boolean;
  /** The sender of our own mails. */
  readonly own: OwnSender;
}

export interface ReadMail {
  readonly origin: MailOrigin;
  /** The same for each delivery of the mail: SHA-256, as hexadecimal digits. */
  readonly digest: string;
  /** The address in `From`; '' if there is none. */
  readonly from: string;
  readonly fromName: string;
  /** Whether no mail server doubts that the mail is of that address. */
  readonly isSenderConfirmed: boolean;
  readonly title: string;
  readonly text: string;
  /** The first ones. Their bytes follow the response. */
  readonly attachments: readonly { readonly name: string; readonly type: string }[];
  /** The number of further ones, and the names of some. */
  readonly leftOut: { readonly names: readonly string[]; readonly count: number };
}

type ParsedMail = Awaited<ReturnType<typeof PostalMime.parse>>;

export async function readMail(
  { isReply, own }: ReadingRequest,
  source: Buffer,
): Promise<{ readonly mail: ReadMail; readonly files: readonly Buffer[] }> {
  const parsed = await PostalMime.parse(source, LIMITS);
  const { messageId, from, subject: title = '', html = '' } = parsed;
  const text = textOf(parsed, isReply ? own : undefined);
  const { kept, leftOut } = filesOf(parsed.attachments, { html, hasText: text !== '' });
  return {
    mail: {
      origin: originOf(parsed, own),
      digest: createHash('sha256')
        .update(messageId ?? source)
        .digest('hex'),
      from: from?.address?.slice(0, MAX_LINE_LENGTH) ?? '',
      fromName: oneLine(from?.name ?? ''),
      isSenderConfirmed: isSenderConfirmed(parsed.headers, from?.address ?? ''),
      title: oneLine(title),
      text,
      attachments: kept.map((file) => ({ name: nameOf(file), type: file.mimeType.slice(0, MAX_LINE_LENGTH) })),
      leftOut: {
        names: leftOut.named.map((file) => truncate(nameOf(file), MAX_NAME_LENGTH, '…')),
        count: leftOut.count,
      },
    },
    files: kept.map(({ content }) => bytesOf(content)),
  };
}

function nameOf({ filename }: Attachment): string {
  return oneLine(filename ?? '') || 'file';
}

/** The types of Node.js name each kind of content alone, but not all of them together. */
function bytesOf(content: string | ArrayBuffer | Uint8Array): Buffer {
  return Buffer.from(content as Uint8Array);
}

/** RFC 3834 describes programs that answer, and the headers of programs. Lists have those of RFC 2919 and RFC 2369. */
function originOf({ headers, messageId = '' }: ParsedMail, sender: OwnSender): MailOrigin {
  const header = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase();
  if (isOwnMessageId(messageId, sender)) return 'own';
  const [automatic = 'no', precedence = ''] = [header('auto-submitted'), header('precedence')];
  const answers = ['x-autoreply', 'x-autorespond', 'x-autoresponse'].some((name) => header(name) !== undefined);
  if (automatic.startsWith('auto-replied') || precedence === 'auto_reply' || answers) return 'answering-program';
  const isOfList = ['list-id', 'list-unsubscribe'].some((name) => header(name) !== undefined);
  const isBulk = ['bulk', 'list', 'junk'].includes(precedence);
  return automatic !== 'no' || isOfList || isBulk ? 'program' : 'person';
}

/**
 * The text part, or the HTML part as our markup. Footers of mail programs are cut.
 * @param repliedTo the sender of the mail that is quoted; undefined if quotes stay
 */
function textOf({ text = '', html = '' }: ParsedMail, repliedTo: OwnSender | undefined): string {
  const written = text.trim() === '' ? markdownOf(html.slice(0, MAX_HTML_LENGTH)) : text;
  const given = written.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\0', '');
  const kept = repliedTo === undefined ? withoutFooter(given) : replyText(given, repliedTo);
  return withClosedQuotes(withoutStopLinks(kept).trim()).slice(0, MAX_RESULT_LENGTH).toWellFormed();
}

function oneLine(text: string): string {
  return withoutTurns(text.slice(0, 10 * MAX_LINE_LENGTH))
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE_LENGTH)
    .toWellFormed();
}
