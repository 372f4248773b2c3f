/** Attachments of posts of programs as Markdown, in the form that attachments of Slack have here. */
import { literalLine } from '@heddle/server/markup/slack/escapes.ts';
import { type Json, numberIn, objectsIn, textIn } from '../fields.ts';

export function attachmentText(attachment: Json): string {
  const author = linkOr(textIn(attachment, 'author_name'), textIn(attachment, 'author_link'), literalLine);
  const heading = linkOr(textIn(attachment, 'title'), textIn(attachment, 'title_link'), bold);
  const image = textIn(attachment, 'image_url') || textIn(attachment, 'thumb_url');
  const content = joined([
    heading,
    textIn(attachment, 'text'),
    listOf(objectsIn(attachment.fields).map(fieldOf)),
    image === undefined || image === '' ? '' : linkOr('image', image, () => ''),
  ]);
  return joined([
    author,
    textIn(attachment, 'pretext'),
    content || literalLine(textIn(attachment, 'fallback') ?? ''),
    objectsIn(attachment.actions).map(buttonOf).filter(Boolean).join(' '),
    [literalLine(textIn(attachment, 'footer') ?? ''), timeOf(attachment.ts)].filter(Boolean).join(' · '),
  ]);
}

const MIN_TIME_MS = 1_000_000_000_000;
const MAX_TIME_MS = 253_402_300_799_000;

/** Seconds since the epoch, as a number or in digits, or a date of Rocket.Chat. */
function timeOf(given: unknown): string {
  const seconds = typeof given === 'number' || typeof given === 'string' ? Number(given) : Number.NaN;
  const time = given instanceof Date ? given.getTime() : Math.floor(seconds) * 1000;
  const isTime = time >= MIN_TIME_MS && time <= MAX_TIME_MS;
  return isTime ? `<time:${new Date(time).toISOString().slice(0, 19)}Z>` : '';
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part.trim() !== '').join('\n\n');
}

/** Further lines of an item are indented, so that they stay in it. */
function listOf(items: readonly string[]): string {
  return items
    .filter((item) => item !== '')
    .map((item) => `* ${item.replaceAll('\n', '\n  ')}`)
    .join('\n');
}

function fieldOf(field: Json): string {
  const [title, value] = [bold(textIn(field, 'title') ?? ''), valueIn(field)];
  return [title === '' ? '' : `${title}:`, value].filter((part) => part !== '').join(' ');
}

/** A button with an address. Others only work in the program. */
function buttonOf(action: Json): string {
  const label = [textIn(action, 'text'), textIn(action, 'name')].find(Boolean) ?? 'link';
  const url = textIn(action, 'url') ?? '';
  return url === '' ? '' : linkOr(label, url, () => '');
}

function valueIn(field: Json): string {
  const { value } = field;
  return typeof value === 'boolean'
    ? String(value)
    : (textIn(field, 'value') ?? String(numberIn(field, 'value') ?? '')).trim();
}

function bold(text: string): string {
  const line = literalLine(text);
  return line === '' ? '' : `**${line}**`;
}

/** The label alone if the address is no link. */
function linkOr(label: string | undefined, url: string | undefined, plain: (text: string) => string): string {
  if (label === undefined || label.trim() === '') return '';
  if (url === undefined || url === '') return plain(label);
  if (!/^(?:https?:\/\/|mailto:)\S+$/i.test(url)) return literalLine(label);
  return `[${literalLine(label)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
