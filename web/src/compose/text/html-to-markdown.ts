/** Pasted HTML as Markdown. The HTML is sanitized and only read. None of it enters the document. */
import { fragmentToRead, READ_STYLE } from '../../content/message-html.ts';

const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote div dl dd dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);
const SKIPPED: ReadonlySet<string> = new Set(
  'script style template noscript head title meta link svg iframe'.split(' '),
);

/** Text without formatting is better pasted as it is, so that its own Markdown and its lines stay. */
const FORMATTING =
  'a[href], b, strong, i, em, s, del, strike, code, pre, ul, ol, blockquote, h1, h2, h3, h4, h5, h6, table';

/** @returns undefined if the HTML has no formatting that Markdown knows */
export function markdownOfHtml(html: string): string | undefined {
  // Editors of code describe their colours in HTML. Their plain text is better.
  if (/vscode|monaco/i.test(html.slice(0, 2000))) return undefined;
  const fragment = fragmentToRead(html);
  if (fragment.querySelector(FORMATTING) === null) return undefined;
  const markdown = tidy(blocksOf(fragment));
  return markdown === '' ? undefined : markdown;
}

function tidy(text: string): string {
  return text
    .replaceAll(/(?<![ \t])[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function blocksOf(node: Node): string {
  let markdown = '';
  for (const child of node.childNodes) {
    if (child.nodeType === 1) markdown += blockOf(child as Element);
    else if (child.nodeType === 3) markdown += textOf(child);
  }
  return markdown;
}

function textOf(node: Node): string {
  return (node.textContent ?? '').replaceAll(/\s+/g, ' ');
}

function blockOf(element: Element): string {
  const name = element.localName;
  if (SKIPPED.has(name)) return '';
  switch (name) {
    case 'br':
      return '\n';
    case 'hr':
      return '\n\n---\n\n';
    case 'pre':
      return `\n\n\`\`\`${languageOf(element)}\n${(element.textContent ?? '').replace(/\n$/, '')}\n\`\`\`\n\n`;
    case 'blockquote':
      return `\n\n${prefixed(tidy(blocksOf(element)), '> ', '> ')}\n\n`;
    case 'ul':
    case 'ol':
      return `\n\n${listOf(element)}\n\n`;
    case 'table':
      return `\n\n${tableOf(element)}\n\n`;
  }
  const heading = /^h([1-6])$/.exec(name)?.[1];
  if (heading !== undefined) return `\n\n${'#'.repeat(Number(heading))} ${tidy(blocksOf(element))}\n\n`;
  if (name === 'p') return `\n\n${blocksOf(element)}\n\n`;
  if (BLOCKS.has(name)) return `\n${blocksOf(element)}\n`;
  return inlineElement(element);
}

function inlineElement(element: Element): string {
  const inner = blocksOf(element);
  const style = element.getAttribute(READ_STYLE) ?? '';
  switch (element.localName) {
    case 'a':
      return linkOf(element, inner);
    case 'b':
    case 'strong':
      // Google Docs wraps everything into <b> with normal weight.
      return /font-weight:\s*(?:normal|400)/.test(style) ? inner : marked(inner, '**');
    case 'i':
    case 'em':
      return /font-style:\s*normal/.test(style) ? inner : marked(inner, '*');
    case 's':
    case 'del':
    case 'strike':
      return marked(inner, '~~');
    case 'code':
    case 'kbd':
    case 'samp':
      return marked(element.textContent ?? '', '`');
    case 'img':
      return element.getAttribute('alt') ?? '';
    case 'span':
      return /font-weight:\s*(?:bold|[6-9]00)/.test(style) ? marked(inner, '**') : inner;
    default:
      return inner;
  }
}

/** Marks stand directly at the text, not at the space around it. */
function marked(inner: string, mark: string): string {
  const text = inner.trim();
  if (text === '' || text.includes('\n\n')) return inner;
  const before = inner.slice(0, inner.length - inner.trimStart().length);
  const after = inner.slice(inner.trimEnd().length);
  return `${before}${mark}${text}${mark}${after}`;
}

function linkOf(element: Element, inner: string): string {
  const href = element.getAttribute('href') ?? '';
  const text = inner.trim();
  if (!/^(?:https?:|mailto:)/i.test(href) || text === '') return inner;
  if (text === href || `mailto:${text}` === href) return inner;
  return `[${text.replaceAll(/[[\]\n]/g, ' ')}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

function languageOf(element: Element): string {
  const [, language = ''] =
    /(?:language|lang|highlight-source)-([\w+#-]+)/.exec(
      `${element.className} ${element.firstElementChild?.className ?? ''}`,
    ) ?? [];
  return language;
}

function listOf(list: Element): string {
  const isOrdered = list.localName === 'ol';
  const first = Number(list.getAttribute('start') ?? 1);
  const items = [...list.children].filter(({ localName }) => localName === 'li');
  return items
    .map((item, index) => {
      const bullet = isOrdered ? `${first + index}. ` : '- ';
      const content = tidy(blocksOf(item)).replaceAll('\n\n', '\n');
      return prefixed(content, bullet, ' '.repeat(bullet.length));
    })
    .join('\n');
}

function prefixed(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first : others) + line)
    .join('\n');
}

function tableOf(table: Element): string {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) =>
      tidy(blocksOf(cell))
        .replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
        .replaceAll('|', String.raw`\|`),
    ),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  const [head, ...others] = rows;
  if (head === undefined || width === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`;
  return [line(head), line(Array.from({ length: width }, () => '---')), ...others.map(line)].join('\n');
}
