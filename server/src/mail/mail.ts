/** The content of a mail, and its rendering as text and as HTML from the same parts. */
import type { Language } from '../languages/language.ts';
import { type Html, html } from '../pages/html.ts';

/** A part of a mail with its own HTML, for example a message. */
export interface MailBlock {
  readonly text: string;
  readonly html: Html;
}

/** Headers with which mail programs sort a mail, and let the reader stop such mails. */
export interface MailHeaders {
  /** Names a conversation: mail programs show its mails together. Letters, digits, `.` and `-` only. */
  readonly thread?: string;
  /** The URL that stops such mails: `POST` does it at once (RFC 8058). */
  readonly unsubscribe?: string;
  /** The kind of mails, as a host name (RFC 2919). */
  readonly listId?: string;
  /** The address for replies. Default: the sender's. */
  readonly replyTo?: string;
}

export interface Mail extends MailHeaders {
  /** The reader's language, in which all texts are. */
  readonly language: Language;
  /** The address alone. */
  readonly to: string;
  readonly title: string;
  /** Texts are plain; they are escaped in HTML. */
  readonly paragraphs: readonly (string | MailBlock)[];
  /** The action for the reader, after the paragraphs. */
  readonly link?: { readonly label: string; readonly url: string };
  /** After the link. */
  readonly afterwards?: readonly (string | MailBlock)[];
}

export interface RenderedMail {
  readonly title: string;
  readonly text: string;
  readonly html: string;
}

/** Limits a title. Mail programs show one line and no more than this. */
const MAX_TITLE_LENGTH = 200;

export function renderMail({ language, title: given, paragraphs, link, afterwards = [] }: Mail): RenderedMail {
  const { t, tag } = language;
  const title = oneLine(given);
  return {
    title,
    text: `${[...paragraphs, ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]), ...afterwards].map(textOf).join('\n\n')}\n`,
    html: html`<!doctype html>
<html lang="${tag}" dir="ltr">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="font: 16px/1.5 sans-serif; max-width: 36em; margin: 0 auto; padding: 1em">
${paragraphs.map(htmlOf)}${
  link !== undefined &&
  html`<p><a href="${link.url}" style="font-weight: bold">${link.label}</a></p>
<p>${t('Or open this address: {url}', { url: link.url })}</p>
`
}${afterwards.map(htmlOf)}</body>
</html>
`.toString(),
  };
}

const textOf = (part: string | MailBlock): string => (typeof part === 'string' ? part : part.text);
const htmlOf = (part: string | MailBlock): Html =>
  typeof part === 'string' ? html`<p>${part}</p>\n` : html`${part.html}\n`;

/**
 * Returns the text as one line, because a header must not contain line breaks, and titles contain names of users and
 * organizations.
 */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return [...line].slice(0, MAX_TITLE_LENGTH).join('');
}

/** Addresses that no mail reaches (RFC 2606), as a pattern also for PostgreSQL. Imported users without an address have one. */
export const UNREACHABLE = '[@.]invalid$';
const unreachable = new RegExp(UNREACHABLE, 'i');

export function isUnreachable(address: string): boolean {
  return unreachable.test(address);
}

/**
 * Whether the text is one address that mails can reach, without characters that have a meaning in a header or for a mail
 * server. It is stricter than the rule for accounts. Check it before you queue a mail.
 */
export function isMailable(address: string): boolean {
  if (isUnreachable(address)) return false;
  return address.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u.test(address);
}
