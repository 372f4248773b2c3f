/** Slack's markup ("mrkdwn") as pieces of Markdown. The caller renders what depends on the organization: references and links. */
import { EMPHASIZED_PART, emphasized, PART, REFERENCE } from './emphasis.ts';
import { decoded, decodedProse, MARKDOWN_BEGIN, MARKDOWN_END } from './escapes.ts';

export type SlackPiece =
  /** Markdown. Code, and what was Markdown before, is verbatim. */
  | { readonly kind: 'text' | 'verbatim'; readonly markdown: string }
  | { readonly kind: 'user' | 'channel' | 'group'; readonly id: string; readonly label: string | undefined }
  | { readonly kind: 'everybody' }
  /** What only Slack can show, as text. */
  | { readonly kind: 'name'; readonly label: string }
  | {
      readonly kind: 'link';
      readonly url: string;
      readonly label: string | undefined;
      readonly isEmphasized: boolean;
    };

/** Blocks of code, code, Markdown that stays, and `<…>`. A block of code without an end goes to the end of the text. */
const PARTS = new RegExp(
  `\`\`\`[\\s\\S]*?\`\`\`|(?<=^|\\n)\`\`\`[\\s\\S]+|\`[^\`\\n]+\`|${MARKDOWN_BEGIN}[^${MARKDOWN_BEGIN}${MARKDOWN_END}]*${MARKDOWN_END}|<[^<>\\n]{1,4000}>`,
  'g',
);

export function slackPieces(mrkdwn: string): readonly SlackPiece[] {
  const { prose, parts } = separated(mrkdwn.replaceAll(/[\ue000-\ue002]/g, ''));
  const pieces: SlackPiece[] = [];
  let last = '';
  const add = (piece: SlackPiece, end: string) => {
    pieces.push(piece);
    last = end;
  };
  let next = 0;
  for (const text of withLines(prose, parts).split(/([\ue000-\ue002])/)) {
    if (!/^[\ue000-\ue002]$/.test(text)) {
      if (text !== '') add({ kind: 'text', markdown: text }, text.slice(-1));
      continue;
    }
    const part = parts[next++];
    if (part === undefined) continue;
    if (isReference(part) && !/^[\s'"({[/<]?$/.test(last)) add({ kind: 'text', markdown: ' ' }, ' ');
    const isLink = part.kind === 'link' && text === EMPHASIZED_PART;
    add(isLink ? { ...part, isEmphasized: true } : part, '.');
  }
  return pieces;
}

function isReference({ kind }: SlackPiece): boolean {
  return kind === 'user' || kind === 'channel' || kind === 'group' || kind === 'everybody';
}

/** The text with one character for each part. Blocks are lines of their own, in a quote if their line is one. */
function separated(mrkdwn: string): { readonly prose: string; readonly parts: SlackPiece[] } {
  const parts: SlackPiece[] = [];
  const prose: string[] = [];
  let end = 0;
  let lineBegin = 0;
  for (const match of mrkdwn.matchAll(PARTS)) {
    const [source] = match;
    const before = mrkdwn.slice(end, match.index);
    if (before.includes('\n')) lineBegin = end + before.lastIndexOf('\n') + 1;
    end = match.index + source.length;
    const part = partOf(source);
    parts.push(part);
    prose.push(before);
    if (part.kind === 'verbatim' && part.markdown.includes('\n')) {
      const mark = /^(?:&gt;|>)(?!&gt;|>) ?/.exec(mrkdwn.slice(lineBegin, lineBegin + 10))?.[0] ?? '';
      const isLineBegin = match.index === lineBegin + mark.length;
      const isLineEnd = end === mrkdwn.length || mrkdwn.charAt(end) === '\n';
      prose.push(isLineBegin ? '' : `\n${mark}`, PART, isLineEnd ? '' : `\n${mark}`);
    } else {
      prose.push(isReference(part) ? REFERENCE : PART);
    }
  }
  return { prose: prose.join('') + mrkdwn.slice(end), parts };
}

function partOf(source: string): SlackPiece {
  switch (source.charAt(0)) {
    case MARKDOWN_BEGIN: {
      return { kind: 'verbatim', markdown: source.slice(1, -1) };
    }
    case '`':
      return { kind: 'verbatim', markdown: source.startsWith('```') ? blockOf(source) : plainMrkdwn(source) };
    default:
      return referenceOf(source.slice(1, -1));
  }
}

function blockOf(source: string): string {
  const isClosed = source.length >= 6 && source.endsWith('```');
  const content = plainMrkdwn(source.slice(3, isClosed ? -3 : undefined));
  return `\`\`\`\n${content.replace(/^\n/, '').replace(/\n$/, '')}\n\`\`\``;
}

/** Mrkdwn as plain text: of references and links, their label remains. */
export function plainMrkdwn(text: string): string {
  return decoded(
    text.replaceAll(
      /<([^<>\n|]{1,4000})(?:\|([^<>\n]{0,4000}))?>/g,
      (_, target: string, label?: string) => label || target,
    ),
  );
}

const SCHEME = /^[a-z][a-z\d+.-]{0,30}:/i;

/** What is between `<` and `>`. */
function referenceOf(inner: string): SlackPiece {
  const bar = inner.indexOf('|');
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const label = bar < 0 ? undefined : decoded(inner.slice(bar + 1)) || undefined;
  const id = target.slice(1);
  if (target.startsWith('@')) return { kind: 'user', id, label: label?.replace(/^@/, '') };
  if (target.startsWith('#')) return { kind: 'channel', id, label: label?.replace(/^#/, '') };
  if (!target.startsWith('!')) {
    if (SCHEME.test(target)) return { kind: 'link', url: decoded(target), label, isEmphasized: false };
    // Programs that escape nothing, as in "a <b> c".
    return { kind: 'name', label: label ?? `<${decoded(inner)}>` };
  }
  if (/^!(?:channel|here|everyone)$/.test(target)) return { kind: 'everybody' };
  const [command = '', argument = ''] = id.split('^', 2);
  if (command === 'subteam') return { kind: 'group', id: argument, label: label?.replace(/^@/, '') };
  return { kind: 'name', label: label ?? (command === 'date' ? timeOf(argument) : `@${argument || command}`) };
}

const MAX_SECONDS = 8_640_000_000_000;

function timeOf(seconds: string): string {
  const value = Number(seconds);
  return new Date(Math.abs(value) <= MAX_SECONDS ? value * 1000 : 0).toISOString();
}

const QUOTE = /^(?:&gt;|>) ?/;
/** All following lines are the quote. */
const LONG_QUOTE = /^(?:&gt;|>){3} ?/;
const ITEM = /^([ \t]*)(?:[•◦▪▫‣⁃●○■□]\ufe0e?\ufe0f?|([-*+]|\d{1,9}[.)]))[ \t]+(?=\S)/;

/** Quotes, lists and emphasis. Our quotes and lists go on until an empty line, and Slack's end with their line. */
function withLines(prose: string, parts: SlackPiece[]): string {
  const lines: string[] = [];
  let isLongQuote = false;
  let previous = { isQuote: false, isList: false };
  let indents: number[] = [];
  let next = 0;
  for (const line of prose.split('\n')) {
    const isBeginning: boolean = !isLongQuote && LONG_QUOTE.test(line);
    const isQuote = isLongQuote || QUOTE.test(line);
    const content = isLongQuote ? line : line.replace(isBeginning ? LONG_QUOTE : QUOTE, '');
    isLongQuote ||= isBeginning;
    next = isQuote ? quoteParts(parts, next, content) : next + countOf(content);
    const item = ITEM.exec(content);
    const isList = item !== null || (previous.isList && /^\s+\S/.test(content));
    if (!isList) indents = [];
    const isEnd = (previous.isQuote && !isQuote) || (previous.isQuote === isQuote && previous.isList && !isList);
    if (isEnd && content.trim() !== '') lines.push(isQuote ? '>' : '');
    const begin = item === null ? '' : marked(item, indents);
    const converted = begin + decodedProse(emphasized(content.slice(item?.[0].length ?? 0)));
    lines.push(isQuote ? `> ${converted}`.trimEnd() : converted);
    previous = { isQuote, isList };
  }
  return lines.join('\n');
}

/** The beginning of an item. A level has four spaces, whatever the text has. */
function marked([, space = '', marker = '*']: RegExpExecArray, indents: number[]): string {
  const indent = space.replaceAll('\t', '    ').length;
  while (indents.length > 0 && (indents.at(-1) ?? 0) >= indent) indents.pop();
  indents.push(indent);
  return `${'    '.repeat(indents.length - 1)}${marker} `;
}

function countOf(text: string): number {
  return text.match(/[\ue000-\ue002]/g)?.length ?? 0;
}

/** Blocks in a quote have its mark in each line. */
function quoteParts(parts: SlackPiece[], from: number, text: string): number {
  const to = from + countOf(text);
  for (let index = from; index < to; index++) {
    const part = parts[index];
    if (part?.kind === 'verbatim') parts[index] = { ...part, markdown: part.markdown.replaceAll('\n', '\n> ') };
  }
  return to;
}
