/**
 * Builds the Markdown of messages from payloads. Values in a template are escaped, so a payload can never mention anybody, add a link or
 * change the format of the message. This works as `pages/html.ts` does for HTML.
 */

/** Characters of a single value. Names and titles are shorter. */
const MAX_VALUE_LENGTH = 300;
/** Characters of a quoted text. Messages have 10,000. */
const MAX_QUOTE_LENGTH = 3000;

/** A piece of Markdown that needs no more escaping. Only this file creates it. */
export class Markdown {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

/** A value in a template. `undefined` and `false` render nothing. */
export type MarkdownValue = Markdown | string | number | undefined | false;

/**
 * A piece of Markdown. Texts lose their line breaks and show exactly as they are.
 *
 * @example
 * md`${login} opened ${link(title, url)}.`
 */
export function md(pieces: TemplateStringsArray, ...values: readonly MarkdownValue[]): Markdown {
  let source = pieces[0] ?? '';
  for (const [index, value] of values.entries()) source += sourceOf(value) + (pieces[index + 1] ?? '');
  return new Markdown(source);
}

function sourceOf(value: MarkdownValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markdown) return value.toString();
  return escaped(inOneLine(String(value)));
}

/** Pieces one after the other. Empty ones are left out. */
export function joined(pieces: readonly MarkdownValue[], separator: string): Markdown {
  const sources = pieces.map(sourceOf).filter((source) => source !== '');
  return new Markdown(sources.join(separator));
}

/** The markup has no backslash escapes, but it knows entities. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '*': '&#42;',
  '[': '&#91;',
  ']': '&#93;',
  '`': '&#96;',
  '~': '&#126;',
  $: '&#36;',
  '|': '&#124;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>*[\]`~$|]/g, (character) => ENTITIES[character] ?? character);
}

function inOneLine(text: string): string {
  return cut(withoutControls(text).replaceAll(/\s+/g, ' ').trim(), MAX_VALUE_LENGTH);
}

/** PostgreSQL stores no null bytes. Others have no meaning in a message, either. */
function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, ' ');
}

/** The beginning of the text, without half a character at its end. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
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

/** Code in a line. Its characters have no meaning, but a backtick would end it. */
export function code(text: string): Markdown {
  const line = inOneLine(text).replaceAll('`', "'");
  return new Markdown(line === '' ? '' : `\`${line}\``);
}

/** A list. Further items are counted: a push can have thousands of commits. */
export function bullets(items: readonly Markdown[], max = 20): Markdown {
  const shown = items.slice(0, max).map((item) => `* ${item}`);
  if (items.length > max) shown.push(`* … and ${items.length - max} more`);
  return new Markdown(shown.join('\n'));
}

/** A quote of what a person wrote in the other service. Its Markdown stays, but it mentions nobody. */
export function quote(text: string): Markdown {
  return fenced('quote', withoutMentions(text));
}

/** A block of code, which shows exactly as it is. */
export function codeBlock(language: '' | 'json' | 'text', text: string): Markdown {
  return fenced(language, text);
}

function fenced(kind: string, text: string): Markdown {
  const content = cut(withoutControls(text.replaceAll('\r', '')).trim(), MAX_QUOTE_LENGTH);
  if (content === '') return new Markdown('');
  // A fence inside must not end this one.
  const longest = Math.max(2, ...Array.from(content.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return new Markdown(`${fence}${kind}\n${content}\n${fence}`);
}

/** A piece of Markdown whose formatting should stay, with the spaces at its ends. It mentions nobody. */
export function withFormatting(text: string): Markdown {
  return new Markdown(withoutMentions(withoutControls(text.replaceAll('\r', ''))));
}

/** A mention of everybody in the channel, where the sender asks for one explicitly. */
export const EVERYBODY = new Markdown('@**all**');

/** An invisible character between `@` and the name, which may follow in the next piece. Entities would be visible in code. */
function withoutMentions(text: string): string {
  return text.replaceAll(/@(?=_?(?:\*|$))/g, '@\u200b');
}
