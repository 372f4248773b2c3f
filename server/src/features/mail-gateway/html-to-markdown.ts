/** The text of a mail that has no text part: its HTML as our markup. This runs in a worker process, because HTML can be hostile. */
import Turndown from 'turndown';
import type { HtmlElement } from './html-elements.ts';
import { addTableRules } from './html-tables.ts';
import { textOfDeepHtml } from './plain-html.ts';

/** What only programs read. */
const INVISIBLE = new Set([
  'HEAD',
  'TITLE',
  'STYLE',
  'SCRIPT',
  'NOSCRIPT',
  'TEMPLATE',
  'OBJECT',
  'IFRAME',
  'svg',
  'math',
]);
const HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)/i;
const BOLD = /(?:^|;)\s*font-weight\s*:\s*(?:bold|[6-9]00)/i;
const WEB_ADDRESS = /^https?:\/\/[^\s<>]+$/i;

const converter = createConverter();

export function markdownOf(html: string): string {
  return (textOfDeepHtml(html) ?? converter.turndown(html))
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function createConverter(): Turndown {
  const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', hr: '---' });
  // Our markup has no escapes: readers would see the backslash.
  service.escape = (text) => text;
  const add = (
    name: string,
    applies: (node: HtmlElement) => boolean,
    replacement: (content: string, node: HtmlElement) => string,
  ) => service.addRule(name, { filter: applies, replacement });
  const named = (...names: readonly string[]) => {
    const set = new Set(names);
    return ({ nodeName }: HtmlElement) => set.has(nodeName);
  };
  const isBold = (node: HtmlElement) => node.nodeName === 'SPAN' && BOLD.test(node.getAttribute('style') ?? '');
  add('line', named('DIV'), (content) => `\n${content}\n`);
  add('struck', named('S', 'DEL', 'STRIKE'), (content) => around(content, '~~'));
  add('emphasis', named('EM', 'I'), (content) => around(content, '*'));
  add(
    'strong',
    (node) => isBold(node) || named('STRONG', 'B')(node),
    (content) => around(content, '**'),
  );
  add('heading', named('H1', 'H2', 'H3', 'H4', 'H5', 'H6'), heading);
  add('item', named('LI'), listItem);
  add('code', named('PRE'), (_, node) => codeBlock(node));
  add('picture', named('IMG'), (_, node) => oneLine(node.getAttribute('alt') ?? ''));
  add('link', named('A'), (content, node) => link(content, (node.getAttribute('href') ?? '').trim()));
  addTableRules(service, add);
  // The newest rule comes first: nothing of these elements is a text.
  add(
    'invisible',
    (node) => INVISIBLE.has(node.nodeName) || HIDDEN.test(node.getAttribute('style') ?? ''),
    () => '',
  );
  return service;
}

/** Marks stand directly beside words, and never around a blank line. Elsewhere they would be text. */
function around(content: string, mark: string): string {
  const inner = content.trim();
  if (inner === '' || inner.includes('\n') || inner.startsWith(mark)) return content;
  const start = content.indexOf(inner);
  return `${content.slice(0, start)}${mark}${inner}${mark}${content.slice(start + inner.length)}`;
}

function heading(content: string, { nodeName }: HtmlElement): string {
  const text = oneLine(content).replaceAll('**', '');
  return text === '' ? '' : `\n\n${'#'.repeat(Number(nodeName[1]))} ${text}\n\n`;
}

/** Further lines of an item are as far to the right as its text. */
function listItem(content: string, node: HtmlElement): string {
  const { parentElement: list } = node;
  const first = Number.parseInt(list?.getAttribute('start') ?? '1', 10) || 1;
  const mark = list?.nodeName === 'OL' ? `${first + indexIn(list, node)}. ` : '- ';
  return `${mark}${content.trim().replaceAll('\n', `\n${' '.repeat(mark.length)}`)}\n`;
}

/** Found once for each list: a long one would take quadratic time. */
const indexes = new WeakMap<HtmlElement, Map<unknown, number>>();

function indexIn(list: HtmlElement, node: HtmlElement): number {
  let known = indexes.get(list);
  if (known === undefined) {
    known = new Map(Array.from(list.children, (child, index) => [child, index]));
    indexes.set(list, known);
  }
  return known.get(node) ?? 0;
}

/** The fence is longer than those within the code. */
function codeBlock(node: HtmlElement): string {
  const code = (node.textContent ?? '').replace(/^\n/, '').trimEnd();
  if (code === '') return '';
  const length = (code.match(/`{3,}/g) ?? []).reduce((longest, { length }) => Math.max(longest, length + 1), 3);
  const fence = '`'.repeat(length);
  return `\n\n${fence}\n${code}\n${fence}\n\n`;
}

function link(content: string, address: string): string {
  const text = oneLine(content).replace(/[[\]]/g, '');
  if (/^mailto:/i.test(address)) {
    const [to = ''] = address.slice('mailto:'.length).split('?');
    if (text === '') return to;
    return text.includes(to) ? text : `${text} (${to})`;
  }
  if (!WEB_ADDRESS.test(address)) return content;
  if (text === '') return '';
  const isShown = [address, `${address}/`].some((shown) => shown === text || shown === `${text}/`);
  return isShown ? address : `[${text}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
