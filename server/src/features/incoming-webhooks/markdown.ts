/**
 * Builds the Markdown of messages from payloads. Values in a template are escaped, so a payload can never mention anybody or change the
 * format of the message. Web addresses in them become links, as in any message. This works as `pages/html.ts` does for HTML.
 */
import { MAX_MESSAGE_LENGTH } from '../../access/limits.ts';
import { truncate } from '../../domain/texts/shared/truncate.ts';
import { withoutHtmlComments } from './html-comments.ts';

/** Characters of a single value. Names and titles are shorter. */
const MAX_VALUE_LENGTH = 300;
/** Characters of a quoted text. Messages have 10,000. */
const MAX_QUOTE_LENGTH = 3000;
/** The years 1 to 9999. */
const MIN_TIME_MS = -62_135_596_800_000;
const MAX_TIME_MS = 253_402_300_799_000;
const TRUNCATED = '\n[message truncated]';

/** A piece of Markdown that needs no more escaping. Only this file creates it. */
export class Markdown {
  readonly #source: string;

  /** No piece ends with the beginning of a mention, because the next one could go on with it. */
  constructor(source: string) {
    this.#source = source.replace(/@(?=_?$)/, '@\u200b');
  }

  toString(): string {
    return this.#source;
  }
}

/** A value in a template. `undefined` and `false` render nothing. */
export type MarkdownValue = Markdown | string | number | undefined | false;

/**
 * A piece of Markdown. Texts lose their line breaks and show as they are, but web addresses become links.
 *
 * @example
 * md`${login} opened ${link(title, url)}.`
 */
export function md(pieces: TemplateStringsArray, ...values: readonly MarkdownValue[]): Markdown {
  let source = pieces[0] ?? '';
  for (const [index, value] of values.entries()) {
    const next = pieces[index + 1] ?? '';
    source += sourceOf(value, next.startsWith(':') ? ':' : '') + next;
  }
  return new Markdown(source);
}

/** @param colon one if it follows the value, because it could end the name of an emoji */
function sourceOf(value: MarkdownValue, colon = ''): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markdown) return value.toString();
  const source = escaped(inOneLine(String(value)) + colon);
  return new Markdown(source.slice(0, source.length - colon.length)).toString();
}

/** Pieces one after the other. Empty ones are left out. */
export function joined(pieces: readonly MarkdownValue[], separator: string): Markdown {
  const sources = pieces.map((piece) => sourceOf(piece)).filter((source) => source !== '');
  return new Markdown(sources.join(separator));
}

/** What has a meaning within a line. An `&` in no entity stays, and so does a `:` in a web address: links show no entities. */
const MARKUP = /[<>*[\]`~$|]|&(?=#?\w{1,32};)|(?<!https?:\/\/\S*):(?=[\p{L}\p{M}\p{N}_+-]{1,100}:)/gu;
/** The beginning of a heading, a list or a rule. What follows the value may be a space. */
const BLOCK_BEGIN = /^(?:#(?=#{0,5}(?: |$))|[-+](?= |$)|[-_](?=[-_ ]*$))|(?<=^\d{1,9})\.(?= |$)/;
const NAMED_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string): string {
  return text.replaceAll(MARKUP, entity).replace(BLOCK_BEGIN, entity);
}

/** The markup has no backslash escapes, but it knows entities. */
function entity(character: string): string {
  return NAMED_ENTITIES[character] ?? `&#${character.charCodeAt(0)};`;
}

function inOneLine(text: string): string {
  return cut(withoutControls(text).replaceAll(/\s+/g, ' ').trim(), MAX_VALUE_LENGTH);
}

/** PostgreSQL stores no null bytes. Others have no meaning in a message, either. */
function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, ' ');
}

function inLines(text: string): string {
  return withoutControls(text.replaceAll('\r', ''));
}

/** The beginning of the text, without half a character at its end. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

/** As much of the source as a message can have, without half an entity before the mark. */
export function truncated(source: string): string {
  if (truncate(source, MAX_MESSAGE_LENGTH, '') === source) return source;
  return truncate(source, MAX_MESSAGE_LENGTH - TRUNCATED.length, '').replace(/&#?\w{0,32}$/, '') + TRUNCATED;
}

/** A link; the text alone if the address is no web address. */
export function link(text: string | number, url: string): Markdown {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol) || address.href.length > 2000) return md`${text}`;
  // The parser has encoded spaces and quotes, but parentheses would end the link.
  const target = address.href
    .replaceAll('(', '%28')
    .replaceAll(')', '%29')
    .replaceAll('*', '%2A')
    .replaceAll('`', '%60');
  return new Markdown(`[${sourceOf(String(text)) || 'link'}](${target})`);
}

export function bold(text: string | number): Markdown {
  const source = sourceOf(text);
  return new Markdown(source === '' ? '' : `**${source}**`);
}

/** Code in a line. Its characters have no meaning, but a backtick would end it. A truncated message can lack its end. */
export function code(text: string): Markdown {
  const line = withoutMentions(inOneLine(text).replaceAll('`', "'"));
  return new Markdown(line === '' ? '' : `\`${line}\``);
}

/**
 * A point in time, which readers see in their time zone.
 * @param given seconds since the epoch, or a date with a time in ISO 8601. Others show as they are.
 */
export function time(given: number | string): Markdown {
  const isIso = typeof given === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(given);
  const milliseconds = typeof given === 'number' ? given * 1000 : isIso ? Date.parse(given) : Number.NaN;
  if (!(milliseconds >= MIN_TIME_MS && milliseconds <= MAX_TIME_MS)) return md`${given}`;
  return new Markdown(`<time:${new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')}>`);
}

/**
 * A list. Further items are counted: a push can have thousands of commits.
 * @param total the number of items, if the service sends fewer than there are
 */
export function bullets(items: readonly Markdown[], total = 0, max = 20): Markdown {
  const shown = items.slice(0, max).map((item) => `* ${item}`);
  const more = Math.max(items.length, total) - shown.length;
  if (more > 0) shown.push(`* … and ${more} more`);
  return new Markdown(shown.join('\n'));
}

/** A quote of what a person wrote in the other service. Its Markdown stays, but its mentions have no effect. HTML comments are left out. */
export function quote(text: string): Markdown {
  return fenced('quote', withoutMentions(withoutHtmlComments(inLines(text))));
}

/** A block of code, which shows exactly as it is. */
export function codeBlock(language: '' | 'json' | 'text', text: string): Markdown {
  return fenced(language, inLines(text));
}

function fenced(kind: string, text: string): Markdown {
  const content = cut(text.trim(), MAX_QUOTE_LENGTH);
  if (content === '') return new Markdown('');
  // A fence inside must not end this one.
  const longest = Math.max(2, ...Array.from(content.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return new Markdown(`${fence}${kind}\n${content}\n${fence}`);
}

/** A piece of Markdown whose formatting should stay, with the spaces at its ends. It mentions nobody. */
export function withFormatting(text: string): Markdown {
  return new Markdown(withoutMentions(inLines(text)));
}

/** A mention of everybody in the channel, where the sender asks for one explicitly. */
export const EVERYBODY = new Markdown('@**all**');

/** An invisible character between `@` and the name. Entities would be visible in code. */
function withoutMentions(text: string): string {
  return text.replaceAll(/@(?=_?\*)/g, '@\u200b');
}
