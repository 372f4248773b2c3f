/** The plain text of a message for phones and browsers, from the HTML that our renderer wrote (public reference: `content` of notifications). */
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { parseDocument } from 'htmlparser2';

/** The maximum of characters. */
const MAX_TEXT_LENGTH = 200;

export function plainText(html: string): string {
  const blocks = parseDocument(html).children;
  const characters = [...textOfAll(withoutQuotes(blocks)).trim()];
  return characters.length <= MAX_TEXT_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_TEXT_LENGTH).join('')}…`;
}

/** A quote says less than the sender's own words beside it. */
function withoutQuotes(blocks: readonly ChildNode[]): readonly (ChildNode | string)[] {
  const elements = blocks.filter(isTag);
  const quotes = elements.filter(isQuote);
  if (quotes.length === 0 || quotes.length === elements.length) return blocks;
  const kept: (ChildNode | string)[] = [];
  for (const block of blocks) {
    if (!isTag(block) || !isQuote(block)) kept.push(block);
    else if (kept.findLast((one) => typeof one === 'string' || isTag(one)) !== ELLIPSIS) kept.push(ELLIPSIS);
  }
  return kept;
}

const ELLIPSIS = '[…]';

function isQuote(element: Element): boolean {
  return element.name === 'blockquote';
}

function textOfAll(nodes: readonly (ChildNode | string)[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node))).join('');
}

function textOf(node: ChildNode): string {
  if (isText(node)) return node.data;
  if (!isTag(node)) return '';
  const classes = (node.attribs.class ?? '').split(' ');
  if (classes.includes('emoji')) return emoji(node, classes);
  if (classes.includes('katex')) return formula(node);
  if (classes.includes('spoiler-block')) return spoiler(node);
  switch (node.name) {
    case 'img':
      return node.attribs.alt ?? '';
    case 'audio':
      return node.attribs.title ?? '';
    case 'br':
      return '';
    case 'blockquote':
      return quoted(textOfAll(node.children));
    case 'ol':
      return numbered(node);
    default:
      return textOfAll(node.children);
  }
}

/** The emoji itself, if it has one, else its name. */
function emoji(node: Element, classes: readonly string[]): string {
  const [, code] = /^emoji-([\da-f-]+)$/.exec(classes.find((name) => name.startsWith('emoji-')) ?? '') ?? [];
  if (code === undefined) return node.attribs.alt ?? textOfAll(node.children);
  return String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));
}

/** The header, and nothing of the hidden text. */
function spoiler(block: Element): string {
  const header = block.children.filter(isTag).find((child) => child.attribs.class === 'spoiler-header');
  const text = header === undefined ? '' : textOfAll(header.children).trim();
  return text === '' ? '(…)\n' : `${text} (…)\n`;
}

/** The source: the rendered formula contains it twice, in pieces. */
function formula(node: Element): string {
  const written = findAll(node, 'annotation').map(({ children }) => textOfAll(children));
  return written.join('');
}

function findAll(node: Element, name: string): readonly Element[] {
  return node.children.filter(isTag).flatMap((child) => (child.name === name ? [child] : findAll(child, name)));
}

function quoted(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => `> ${line}\n`).join('');
}

function numbered(list: Element): string {
  const first = Number.parseInt(list.attribs.start ?? '1', 10);
  return list.children
    .filter(isTag)
    .map((item, index) => `${first + index}. ${textOfAll(item.children).trim()}\n`)
    .join('');
}
