/**
 * A message for a mail: the HTML that our renderer wrote becomes plain text, and HTML that mail programs can show. Both
 * say the same. The HTML has inline styles, no pictures, no scripts, and no links but to web pages and addresses.
 */
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { type Language, languageFor, type Translate } from '../../../languages/language.ts';
import type { MailBlock } from '../../../mail/mail.ts';
import { type Html, html } from '../../../pages/html.ts';

/** For all parts of a message. */
interface Base {
  /** The base of relative links. */
  readonly url: string;
  readonly t: Translate;
}

/** A text that readers take for the address of a website. */
const ADDRESS = /:\/\/|^\s*[\p{L}\d-]+(\.[\p{L}\d-]+)+(\/|\s|$)/u;

/** It begins at the first of several blanks only. Otherwise, many of them within a line would take quadratic time. */
const BLANKS_AT_ENDS = /(?<![ \t])[ \t]+\n/g;

/**
 * @param rendered the message as HTML
 * @param organizationUrl the base of its relative links
 * @param language the reader's. Default: English
 */
export function messageBlock(rendered: string, organizationUrl: string, { t }: Language = languageFor([])): MailBlock {
  const { text, html: markup } = blockOfAll(parseDocument(rendered).children, { url: organizationUrl, t });
  return {
    text: text
      .replace(BLANKS_AT_ENDS, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    html: markup,
  };
}

function blockOfAll(nodes: readonly ChildNode[], base: Base): MailBlock {
  const blocks = nodes.map((node) => blockOf(node, base));
  return { text: blocks.map(({ text }) => text).join(''), html: html`${blocks.map((block) => block.html)}` };
}

const plain = (text: string): MailBlock => ({ text, html: html`${text}` });

function blockOf(node: ChildNode, base: Base): MailBlock {
  if (isText(node)) return plain(node.data);
  if (!isTag(node)) return plain('');
  const classes = (node.attribs.class ?? '').split(' ');
  if (classes.includes('emoji')) return plain(emoji(node, classes));
  if (classes.includes('katex')) return formula(node);
  if (classes.includes('spoiler-block')) return spoiler(node, base);
  // Pictures of files and pages. Their links are in the text.
  if (classes.some((name) => /^message_(inline|embed)/.test(name))) return plain('');
  switch (node.name) {
    case 'img':
    case 'audio':
    case 'video':
      return media(node, base);
    case 'a':
      return link(node, base);
    case 'br':
      return { text: '\n', html: html`<br>` };
    case 'hr':
      return { text: '---\n\n', html: html`<hr>` };
    case 'pre':
      return preformatted(node);
    case 'ul':
    case 'ol':
      return list(node, base);
    case 'style':
    case 'script':
      return plain('');
    default:
      return wrapped(node, blockOfAll(node.children, base));
  }
}

const QUOTE_STYLE = 'margin: 0 0 0 4px; padding-left: 12px; border-left: 3px solid #bbbbbb; color: #444444';
const CELL_STYLE = 'border: 1px solid #bbbbbb; padding: 2px 8px; text-align: left';

function wrapped({ name }: Element, { text, html: inner }: MailBlock): MailBlock {
  const make = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  return make === undefined ? { text, html: inner } : make(text, inner);
}

const heading = (text: string, inner: Html): MailBlock => ({
  text: `${text.trim()}\n\n`,
  html: html`<p style="margin: 12px 0 4px; font-weight: bold">${inner}</p>`,
});

/** How elements look. All others are their contents. */
const WRAPPERS: Readonly<Record<string, (text: string, inner: Html) => MailBlock>> = {
  p: (text, inner) => ({ text: `${text.trim()}\n\n`, html: html`<p style="margin: 0 0 8px">${inner}</p>` }),
  div: (text, inner) => ({ text: `${text}\n`, html: html`<div>${inner}</div>` }),
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  strong: (text, inner) => ({ text: `*${text}*`, html: html`<strong>${inner}</strong>` }),
  em: (text, inner) => ({ text: `_${text}_`, html: html`<em>${inner}</em>` }),
  del: (text, inner) => ({ text: `~${text}~`, html: html`<del>${inner}</del>` }),
  code: (text, inner) => ({ text: `\`${text}\``, html: html`<code>${inner}</code>` }),
  blockquote: (text, inner) => ({
    text: `${text
      .trim()
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n')}\n\n`,
    html: html`<blockquote style="${QUOTE_STYLE}">${inner}</blockquote>`,
  }),
  table: (text, inner) => ({
    text: `${text}\n`,
    html: html`<table style="border-collapse: collapse">${inner}</table>`,
  }),
  tr: (text, inner) => ({ text: `${text.trim()}\n`, html: html`<tr>${inner}</tr>` }),
  th: (text, inner) => ({ text: `${text.trim()}\t`, html: html`<th style="${CELL_STYLE}">${inner}</th>` }),
  td: (text, inner) => ({ text: `${text.trim()}\t`, html: html`<td style="${CELL_STYLE}">${inner}</td>` }),
};

/** Only addresses of the web and of mail. Undefined for all others. */
function absolute(href: string | undefined, base: Base): string | undefined {
  const url = href === undefined ? null : URL.parse(href, base.url);
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
}

function link(node: Element, base: Base): MailBlock {
  const inner = blockOfAll(node.children, base);
  const url = absolute(node.attribs.href, base);
  if (url === undefined) return inner;
  const isShown = inner.text === url || inner.text === node.attribs.href || `mailto:${inner.text}` === url;
  const anchor = html`<a href="${url}">${inner.text === '' ? url : inner.html}</a>`;
  return {
    text: isShown ? url : `${inner.text} (${url})`,
    // A text that is an address, and not that of the link, would deceive the reader.
    html: !isShown && ADDRESS.test(inner.text) ? html`${anchor} (${url})` : anchor,
  };
}

/** A link with the name of the file. Many readers do not load pictures, and the files need a login. */
function media({ attribs }: Element, base: Base): MailBlock {
  const name = attribs.alt ?? attribs.title ?? 'file';
  const url = absolute(attribs['data-original-src'] ?? attribs.src, base);
  return url === undefined ? plain(name) : { text: `${name} (${url})`, html: html`<a href="${url}">${name}</a>` };
}

function preformatted(node: Element): MailBlock {
  const text = allText(node);
  return {
    text: `${text.trimEnd()}\n\n`,
    html: html`<pre style="padding: 8px; background: #f4f4f4; white-space: pre-wrap">${text}</pre>`,
  };
}

function list({ name, attribs, children }: Element, base: Base): MailBlock {
  const first = Number.parseInt(attribs.start ?? '1', 10);
  const items = children.filter(isTag).map((item) => blockOfAll(item.children, base));
  const mark = (index: number) => (name === 'ol' ? `${first + index}. ` : '- ');
  const text = items.map((item, index) => `${mark(index)}${item.text.trim().replaceAll('\n', '\n  ')}\n`).join('');
  const rows = items.map((item) => html`<li>${item.html}</li>`);
  return {
    text: `${text}\n`,
    html: name === 'ol' ? html`<ol start="${first}">${rows}</ol>` : html`<ul>${rows}</ul>`,
  };
}

/** The emoji itself, if it has one, else its name. */
function emoji(node: Element, classes: readonly string[]): string {
  const [, code] = /^emoji-([\da-f-]+)$/.exec(classes.find((name) => name.startsWith('emoji-')) ?? '') ?? [];
  if (code === undefined) return node.attribs.alt ?? allText(node);
  return String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));
}

/** The source: the rendered formula contains it twice, in pieces. */
function formula(node: Element): MailBlock {
  const text = textsOf(node, 'annotation').join('');
  return { text, html: html`<code>${text}</code>` };
}

/** The header, and nothing of the hidden text. */
function spoiler(block: Element, base: Base): MailBlock {
  const header = block.children.filter(isTag).find((child) => child.attribs.class === 'spoiler-header');
  const inner = header === undefined ? plain('') : blockOfAll(header.children, base);
  const { t } = base;
  const note = t('(hidden; open the message to see it)');
  const text = [inner.text.trim(), note].filter((part) => part !== '').join(' ');
  return { text: `${text}\n\n`, html: html`<div>${inner.html} <em>${note}</em></div>` };
}

function allText(node: ChildNode): string {
  if (isText(node)) return node.data;
  return isTag(node) ? node.children.map(allText).join('') : '';
}

function textsOf(node: Element, name: string): readonly string[] {
  return node.children
    .filter(isTag)
    .flatMap((child) => (child.name === name ? [allText(child)] : textsOf(child, name)));
}
