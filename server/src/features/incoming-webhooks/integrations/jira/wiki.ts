/**
 * Jira's text formatting in Markdown (https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all). Newer parts of Jira send the
 * Atlassian Document Format instead, which is a tree of nodes.
 */
import type { Payload } from '../../payload.ts';

/** Jira limits its texts to about this length. */
const MAX_TEXT_LENGTH = 32_768;
const MAX_DEPTH_LEVELS = 20;
const MAX_NODES = 2000;

/** Names of people, by the ids that mentions have. */
export type PersonNames = ReadonlyMap<string, string>;

/** A text of Jira as Markdown: formatted text, or a document. */
export function jiraText(text: Payload, names: PersonNames): string {
  return text.isObject ? documentText(text) : fromWiki(text.text(), names);
}

const BLOCK = /^[ \t]*\{(code|noformat|quote|panel)(?:[:|]([^}\n]*))?\}/;

export function fromWiki(wiki: string, names: PersonNames = new Map()): string {
  const lines = wiki.slice(0, MAX_TEXT_LENGTH).replaceAll('\r', '').split('\n');
  const shown: string[] = [];
  let isQuoted = false;
  let at = 0;
  /** The rest of a line is a line of its own, unless it is empty. */
  const again = (index: number, rest: string) => {
    if (rest.trim() === '') return;
    lines[index] = rest;
    at = index - 1;
  };
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [opening, kind = '', options = ''] = BLOCK.exec(line) ?? [];
    if (opening !== undefined && (kind === 'code' || kind === 'noformat')) {
      const { content, next } = contentUntil(lines, at, line.slice(opening.length), `{${kind}}`);
      shown.push(`\`\`\`${kind === 'code' ? languageOf(options) : ''}`, ...content, '```');
      at = next;
    } else if (opening !== undefined && kind === 'panel') {
      const title = /title=([^|]*)/.exec(options)?.[1] ?? '';
      if (title !== '') shown.push(`**${title.trim()}**`);
      again(at, line.slice(opening.length));
    } else if (opening !== undefined && !isQuoted) {
      isQuoted = true;
      again(at, line.slice(opening.length));
    } else if (isQuoted && line.includes('{quote}')) {
      const end = line.indexOf('{quote}');
      if (line.slice(0, end).trim() !== '') shown.push(`> ${ofLine(line.slice(0, end), names, undefined)}`);
      isQuoted = false;
      shown.push('');
      again(at, line.slice(end + '{quote}'.length));
    } else {
      const converted = ofLine(line.replaceAll('{panel}', ''), names, shown.at(-1));
      shown.push(isQuoted ? `> ${converted}` : converted);
    }
  }
  return shown.join('\n').trim();
}

/** The lines up to a mark, and the line with the mark. What follows the mark is a line of its own. */
function contentUntil(lines: string[], at: number, rest: string, mark: string) {
  const content: string[] = [];
  for (let line = at; line < lines.length; line++) {
    const text = line === at ? rest : (lines[line] ?? '');
    const end = text.indexOf(mark);
    if (end < 0) {
      if (line > at || text !== '') content.push(text);
      continue;
    }
    if (text.slice(0, end) !== '') content.push(text.slice(0, end));
    const after = text.slice(end + mark.length);
    if (after.trim() === '') return { content, next: line };
    lines[line] = after;
    return { content, next: line - 1 };
  }
  return { content, next: lines.length };
}

function languageOf(options: string): string {
  const [first = ''] = options.split('|', 1);
  const language = /language=(\w+)/.exec(options)?.[1] ?? (first.includes('=') ? '' : first);
  return /^[\w+#.-]{1,30}$/.test(language) ? language.toLowerCase() : '';
}

function ofLine(line: string, names: PersonNames, before: string | undefined): string {
  const heading = /^h([1-6])\.\s+(.*)$/.exec(line);
  if (heading !== null) return `${'#'.repeat(Number(heading[1]))} ${inline(heading[2] ?? '', names)}`;
  const item = /^\s*([*#-]+)\s+(.*)$/.exec(line);
  if (item !== null) {
    const [, marks = '', text = ''] = item;
    if (/^-{4,}$/.test(marks)) return '---';
    return `${'  '.repeat(Math.min(marks.length, MAX_DEPTH_LEVELS) - 1)}${marks.endsWith('#') ? '1.' : '*'} ${inline(text, names)}`;
  }
  if (/^-{4,}\s*$/.test(line)) return '---';
  const quote = /^bq\.\s+(.*)$/.exec(line);
  if (quote !== null) return `> ${inline(quote[1] ?? '', names)}`;
  if (/^\|\|.*\|\|\s*$/.test(line)) {
    const cells = line
      .trim()
      .slice(2, -2)
      .split('||')
      .map((cell) => inline(cell.trim(), names));
    return `| ${cells.join(' | ')} |\n|${' --- |'.repeat(cells.length)}`;
  }
  if (/^\|.*\|\s*$/.test(line)) {
    const cells = line
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => inline(cell.trim(), names));
    // A table of ours needs a header.
    const header =
      before?.trimStart().startsWith('|') === true
        ? ''
        : `|${'   |'.repeat(cells.length)}\n|${' --- |'.repeat(cells.length)}\n`;
    return `${header}| ${cells.join(' | ')} |`;
  }
  return inline(line, names);
}

/** Code, links, mentions and pictures, whose text has no other marks. */
const SPANS =
  /\{\{([^\n{}]{1,1000})\}\}|\[~(?:accountid:)?([^\]\n]{1,200})\]|\[([^|\]\n]{1,500})\|([^|\]\s]{1,2000})(?:\|[^\]\n]{0,100})?\]|\[((?:https?|mailto):[^|\]\s]{1,2000})\]|!([^!|\s]{1,300})(?:\|[^!\n]{0,200})?!|\{color(?::[^}\n]{1,50})?\}|\{anchor:[^}\n]{1,100}\}/g;

function inline(text: string, names: PersonNames): string {
  let shown = '';
  let at = 0;
  for (const span of text.matchAll(SPANS)) {
    shown += emphasis(text.slice(at, span.index)) + ofSpan(span, names);
    at = span.index + span[0].length;
  }
  return shown + emphasis(text.slice(at));
}

function ofSpan([, code, person, label, target, address, picture]: RegExpMatchArray, names: PersonNames): string {
  if (code !== undefined) return `\`${code.replaceAll('`', "'")}\``;
  if (person !== undefined)
    return `@${names.get(person) ?? (/^[\w.-]{1,40}$/.test(person) && !/\d{6}/.test(person) ? person : 'somebody')}`;
  if (label !== undefined && target !== undefined)
    return /^(?:https?|mailto):/.test(target)
      ? `[${emphasis(label)}](${target.replaceAll(')', '%29')})`
      : emphasis(label);
  if (address !== undefined) return address.replace(/^mailto:/, '');
  if (picture !== undefined) return /^https?:/.test(picture) ? picture : `(${picture})`;
  return '';
}

/** Marks at the beginning and at the end of words. */
const EMPHASIS: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w*\\])\*(?=[^\s*])([^*\n]{0,300}?[^\s*]|[^\s*])\*(?![\w*])/g, '**$1**'],
  [/(?<![\w_\\])_(?=[^\s_])([^_\n]{0,300}?[^\s_]|[^\s_])_(?![\w_])/g, '*$1*'],
  [/(?<![\w\-\\])-(?=[^\s-])([^-\n]{0,300}?[^\s-]|[^\s-])-(?![\w-])/g, '~~$1~~'],
  [/(?<![\w+\\])\+(?=[^\s+])([^+\n]{0,300}?[^\s+]|[^\s+])\+(?![\w+])/g, '$1'],
  [/(?<![\w?])\?\?(?=\S)([^?\n]{1,300}?)\?\?(?![\w?])/g, '*$1*'],
  [/\{([*_+-])\}/g, '$1'],
  [/\\\\(?=\s|$)/g, ''],
];

/** Marks that count inside words, too: `wo{*}r{*}d`. Jira's editor writes them everywhere. */
const BRACED = /\{([*_+-])\}([^\n]{1,300}?)\{\1\}/g;
/** Until the other marks are converted, these characters stand for ours. */
const OURS: Readonly<Record<string, string>> = { '*': '\ue010', _: '\ue011', '-': '\ue012', '+': '' };
const MARKDOWN: Readonly<Record<string, string>> = { '\ue010': '**', '\ue011': '*', '\ue012': '~~' };

function emphasis(text: string): string {
  const braced = text
    .replaceAll(/[\ue010-\ue012]/g, '')
    .replaceAll(BRACED, (_, mark: string, content: string) => wrapped(content, OURS[mark] ?? ''));
  const converted = EMPHASIS.reduce((source, [marks, by]) => source.replace(marks, by), braced);
  const shown = converted.replaceAll(/[\ue010-\ue012]/g, (mark) => MARKDOWN[mark] ?? '');
  // Our Markdown has no escapes, but it knows entities.
  return shown.replaceAll(/\\([*_+\-{}[\]|!?~^])/g, (_, character: string) => `&#${character.charCodeAt(0)};`);
}

/** Spaces at the ends stay outside: Markdown has no emphasis that begins or ends with one. */
function wrapped(text: string, mark: string): string {
  const middle = text.trim();
  if (middle === '') return text;
  const begin = text.indexOf(middle);
  return `${text.slice(0, begin)}${mark}${middle}${mark}${text.slice(begin + middle.length)}`;
}

/** The Atlassian Document Format (https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/). */
export function documentText(document: Payload): string {
  let nodes = 0;
  let length = 0;
  /** As much of a text as the document can still have. */
  const taken = (text: string): string => {
    const part = text.slice(0, MAX_TEXT_LENGTH - length);
    length += part.length;
    return part;
  };
  const children = (node: Payload, depth: number): readonly string[] =>
    node.list('content').map((child) => ofNode(child, depth + 1));
  const ofNode = (node: Payload, depth: number): string => {
    nodes += 1;
    if (depth > MAX_DEPTH_LEVELS || nodes > MAX_NODES) return '';
    const inner = () => children(node, depth).join('');
    const blocks = () => children(node, depth).join('\n\n');
    switch (node.text('type')) {
      case 'text':
        return marked(taken(node.text('text')), node);
      case 'hardBreak':
        return '\n';
      case 'mention':
        return `@${node.text('attrs', 'text').replace(/^@/, '') || 'somebody'}`;
      case 'emoji':
        return node.text('attrs', 'text') || node.text('attrs', 'shortName');
      case 'date':
        return new Date(Math.min(Math.max(Number(node.text('attrs', 'timestamp')) || 0, 0), 8e15))
          .toISOString()
          .slice(0, 10);
      case 'status':
        return `**${node.text('attrs', 'text')}**`;
      case 'inlineCard':
      case 'blockCard':
      case 'embedCard':
        return node.text('attrs', 'url');
      case 'media':
      case 'mediaInline':
        return pictureOf(node.at('attrs'));
      case 'expand':
      case 'nestedExpand': {
        const title = node.text('attrs', 'title').trim();
        return title === '' ? blocks() : `**${title}**\n\n${blocks()}`;
      }
      case 'heading':
        return `${'#'.repeat(Math.min(Math.max(node.number('attrs', 'level') ?? 1, 1), 6))} ${inner()}`;
      case 'rule':
        return '---';
      case 'codeBlock': {
        const language = node.text('attrs', 'language');
        return `\`\`\`${/^[\w+#.-]{1,30}$/.test(language) ? language : ''}\n${node
          .list('content')
          .map((one) => taken(one.text('text')))
          .join('')}\n\`\`\``;
      }
      case 'blockquote':
        return blocks().replaceAll(/^/gm, '> ');
      case 'bulletList':
      case 'orderedList':
      case 'taskList': {
        const sign = node.text('type') === 'orderedList' ? '1.' : '*';
        return children(node, depth)
          .map((item) => `${sign} ${item.replaceAll('\n', '\n  ')}`)
          .join('\n');
      }
      case 'listItem':
        return children(node, depth).join('\n');
      case 'table':
        return children(node, depth)
          .map((row, index) => (index === 0 ? `${row}\n${row.replaceAll(/[^|\n]+/g, ' --- ')}` : row))
          .join('\n');
      case 'tableRow':
        return `| ${children(node, depth)
          .map((cell) => inOneLine(cell).replaceAll('|', '/'))
          .join(' | ')} |`;
      case 'paragraph':
      case 'taskItem':
      case 'decisionItem':
        return inner();
      default:
        return blocks();
    }
  };
  return ofNode(document, 0);
}

/** No regular expression: one that looks for spaces around line ends takes quadratic time for spaces without a line end. */
function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** A picture or another file. The name is all that a document has of one in Jira. */
function pictureOf(attributes: Payload): string {
  const url = attributes.text('url');
  return /^https?:\S+$/.test(url) ? url : `(${attributes.text('alt').trim() || 'attachment'})`;
}

const MARKS: Readonly<Record<string, string>> = { code: '`', em: '*', strike: '~~', strong: '**' };

function marked(given: string, node: Payload): string {
  let text = given;
  if (text.trim() === '') return text;
  for (const mark of node.list('marks')) {
    const type = mark.text('type');
    const sign = Object.hasOwn(MARKS, type) ? MARKS[type] : undefined;
    if (sign !== undefined) text = wrapped(text, sign);
    const href = mark.text('attrs', 'href');
    if (type === 'link' && /^(?:https?|mailto):\S+$/.test(href)) text = `[${text}](${href.replaceAll(')', '%29')})`;
  }
  return text;
}
