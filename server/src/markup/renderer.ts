import type { Token } from 'markdown-it';
import type { ChannelLink } from './channel-links.ts';
import { newHighlightBudget, renderCodeBlock } from './code-blocks.ts';
import { replaceUnicodeEmoji } from './emoji.ts';
import type { NamedEmoji } from './emoji-syntax.ts';
import { escapeAttribute, escapeText } from './html-text.ts';
import { isAllowedHref, isImageUrl, isUploadUrl, relativeToOrganization } from './link-urls.ts';
import type { Mention } from './mentions.ts';
import { MOST_PREVIEWS, preview, type UploadLink, uploadPathOf } from './previews.ts';
import { newTexBudget, renderInlineTex, renderTexBlock } from './tex.ts';
import type { MarkupDirectory, RenderOptions } from './types.ts';

/** What stands in the place of the name of the topic without a name. */
const GENERAL_CHAT = '<em>general chat</em>';
/** Cheap test for text that may hold a literal emoji: every one has a code unit of these. */
const MAYBE_EMOJI = /[\u00A9\u00AE\u203C-\u3299\uD83C-\uD83E]/;
/** Of the lines of fenced code. */
const BLANKS_AT_ENDS = /(?<![ \t])[ \t]+$/gm;
const ALIGNMENTS: Record<string, string> = {
  'text-align:left': ' style="text-align: left;"',
  'text-align:center': ' style="text-align: center;"',
  'text-align:right': ' style="text-align: right;"',
};

/** Tags that stand for a token as they are. Every token that is not here is handled below, or not written at all. */
const BLOCK_TAGS: Record<string, string> = {
  blockquote_open: '<blockquote>\n',
  blockquote_close: '</blockquote>\n',
  bullet_list_open: '<ul>\n',
  bullet_list_close: '</ul>\n',
  ordered_list_close: '</ol>\n',
  list_item_close: '</li>\n',
  hr: '<hr>\n',
  table_open: '<table>\n',
  table_close: '</table>\n',
  thead_open: '<thead>\n',
  tbody_open: '<tbody>\n',
  tbody_close: '</tbody>\n',
  tr_open: '<tr>\n',
  tr_close: '</tr>\n',
  th_close: '</th>\n',
  td_close: '</td>\n',
  spoiler_open: '<div class="spoiler-block">',
  spoiler_header_open: '<div class="spoiler-header">\n',
  spoiler_header_close: '</div>',
  spoiler_content_open: '<div class="spoiler-content" aria-hidden="true">\n',
  spoiler_content_close: '</div>',
  spoiler_close: '</div>\n',
};

const INLINE_TAGS: Record<string, string> = {
  strong_open: '<strong>',
  strong_close: '</strong>',
  em_open: '<em>',
  em_close: '</em>',
  del_open: '<del>',
  del_close: '</del>',
  softbreak: '<br>\n',
  hardbreak: '<br>\n',
};

/**
 * Writes the tokens of one message as HTML and notes what is in it. The shapes are those that clients of this API
 * parse; everything that a user wrote passes through an escape on its way.
 */
export class Renderer {
  readonly mentionedUserIds = new Set<number>();
  readonly mentionedGroupIds = new Set<number>();
  mentionsChannel = false;
  mentionsTopic = false;
  hasLink = false;
  hasImage = false;
  hasAttachment = false;

  readonly uploads = new Set<string>();

  readonly #options: RenderOptions;
  readonly #directory: MarkupDirectory;
  /** How many quotes the text being written stands in: mentions in a quote are silent. */
  #quoteDepth = 0;
  /** Columns of the table whose head is being written. */
  #tableColumns = 0;
  readonly #budget = newHighlightBudget();
  readonly #texBudget = newTexBudget();

  /** Links to uploaded files of the paragraph that is being written. */
  #links: UploadLink[] = [];
  #previews = 0;

  constructor(options: RenderOptions, directory: MarkupDirectory) {
    this.#options = options;
    this.#directory = directory;
  }

  /** HTML of block tokens, without a newline at the end. */
  renderBlocks(tokens: readonly Token[]): string {
    let html = '';
    for (const [index, token] of tokens.entries()) {
      const tag = BLOCK_TAGS[token.type];
      if (tag !== undefined) {
        if (token.type === 'blockquote_open') this.#quoteDepth++;
        else if (token.type === 'blockquote_close') this.#quoteDepth--;
        html += tag;
        continue;
      }
      const next = tokens[index + 1];
      switch (token.type) {
        case 'inline':
          html += this.renderInline(token.children ?? []);
          break;
        case 'paragraph_open':
          if (!token.hidden) html += '<p>';
          // What headings and tables link to is not shown.
          this.#links = [];
          break;
        case 'paragraph_close':
          if (!token.hidden) html += '</p>\n';
          if (this.#links.length > 0) html += this.#previewLinks(token.hidden);
          break;
        case 'heading_open':
          html += `<${headingTag(token)}>`;
          break;
        case 'heading_close':
          html += `</${headingTag(token)}>\n`;
          break;
        case 'ordered_list_open': {
          const start = Number(token.attrGet('start') ?? 1);
          html += start === 1 ? '<ol>\n' : `<ol start="${start}">\n`;
          break;
        }
        case 'list_item_open':
          html += next?.type === 'list_item_close' || next?.hidden ? '<li>' : '<li>\n';
          break;
        case 'th_open':
        case 'td_open':
          if (token.type === 'th_open') this.#tableColumns++;
          html += `<${token.tag === 'th' ? 'th' : 'td'}${ALIGNMENTS[token.attrGet('style') ?? ''] ?? ''}>`;
          break;
        case 'thead_close':
          html += '</thead>\n';
          // Clients reject a table without a body.
          if (next?.type === 'table_close') {
            html += `<tbody>\n<tr>\n${'<td></td>\n'.repeat(this.#tableColumns)}</tr>\n</tbody>\n`;
          }
          this.#tableColumns = 0;
          break;
        case 'fence':
          html += `${this.#renderFence(token)}\n`;
          break;
        case 'code_block':
          html += `${renderCodeBlock(token.content, '', this.#budget)}\n`;
          break;
      }
    }
    return html.endsWith('\n') ? html.slice(0, -1) : html;
  }

  renderInline(tokens: readonly Token[]): string {
    let html = '';
    /** The address of the open link; empty for one that stays text. */
    let href = '';
    let isInLink = false;
    /** A link without a text shows its address instead. */
    let isLabelBlank = false;
    for (const [index, token] of tokens.entries()) {
      switch (token.type) {
        case 'text':
          if (isLabelBlank) break;
          html += isInLink ? escapeText(token.content) : this.#renderText(token.content);
          break;
        case 'code_inline':
          html += `<code>${escapeText(token.content)}</code>`;
          break;
        case 'link_open': {
          href = relativeToOrganization(String(token.attrGet('href') ?? ''), this.#options.organizationUrl);
          if (!isAllowedHref(href)) href = '';
          isInLink = href !== '';
          html += this.#openLink(href, token, tokens, index);
          isLabelBlank = href !== '' && isBlankLabel(tokens, index + 1);
          if (isLabelBlank) html += escapeText(href);
          break;
        }
        case 'link_close':
          html += href === '' ? ']()' : '</a>';
          isInLink = false;
          isLabelBlank = false;
          break;
        case 'mention':
          html += this.#renderMention(token.meta?.mention as Mention);
          break;
        case 'channel_link':
          html += renderChannelLink(token.meta?.link as ChannelLink);
          break;
        case 'emoji':
          html += renderEmoji(token.meta?.emoji as NamedEmoji);
          break;
        case 'tex':
          html += renderInlineTex(token.content, this.#texBudget);
          break;
        case 'global_time':
          html += renderTime(token.content, token.meta?.datetime);
          break;
        default:
          html += INLINE_TAGS[token.type] ?? escapeText(token.content);
      }
    }
    return html;
  }

  #renderFence(token: Token): string {
    const info = token.info.trim() || (this.#options.defaultCodeLanguage ?? '');
    if (info === 'math') return renderTexBlock(token.content, this.#texBudget);
    const code = token.content.replace(BLANKS_AT_ENDS, '');
    return renderCodeBlock(code, info, this.#budget);
  }

  #renderText(text: string): string {
    const escaped = escapeText(text);
    return MAYBE_EMOJI.test(escaped) ? replaceUnicodeEmoji(escaped, unicodeEmojiSpan) : escaped;
  }

  #openLink(href: string, token: Token, tokens: readonly Token[], index: number): string {
    if (href === '') return '[';
    this.hasLink = true;
    this.hasImage ||= isImageUrl(href);
    const title = token.attrGet('title');
    if (isUploadUrl(href)) this.#noteUpload(href, title === null ? labelOf(tokens, index + 1) : String(title));
    const titleAttribute = title === null ? '' : ` title="${escapeAttribute(String(title))}"`;
    return `<a href="${escapeAttribute(href)}"${titleAttribute}>`;
  }

  #noteUpload(href: string, title: string): void {
    this.hasAttachment = true;
    const pathId = uploadPathOf(href);
    if (pathId === undefined) return;
    // Each is shown once, and none in a quote.
    if (!this.uploads.has(pathId) && this.#quoteDepth === 0) this.#links.push({ pathId, href, title });
    this.uploads.add(pathId);
  }

  #previewLinks(isInline: boolean): string {
    const links = this.#links;
    this.#links = [];
    if (this.#options.showsUploads !== true) return '';
    const shown = links.flatMap((link) => {
      const upload = this.#directory.upload?.(link.pathId);
      return upload === undefined ? [] : (preview(link, upload) ?? []);
    });
    this.#previews += shown.length;
    return shown.length === 0 ? '' : `${isInline ? '\n' : ''}${shown.join('')}`;
  }

  /** Whether there are more of them than a message shows. */
  get hasTooManyPreviews(): boolean {
    return this.#previews > MOST_PREVIEWS;
  }

  #renderMention(mention: Mention): string {
    const silent = mention.silent || this.#quoteDepth > 0;
    const text = escapeText(silent ? mention.label : `@${mention.label}`);
    const silentClass = silent ? ' silent' : '';
    switch (mention.kind) {
      case 'user':
        if (!silent) this.mentionedUserIds.add(mention.id);
        return `<span class="user-mention${silentClass}" data-user-id="${mention.id}">${text}</span>`;
      case 'group':
        if (!silent) this.mentionedGroupIds.add(mention.id);
        return `<span class="user-group-mention${silentClass}" data-user-group-id="${mention.id}">${text}</span>`;
      case 'channel':
        if (!silent) this.mentionsChannel = true;
        return `<span class="user-mention channel-wildcard-mention${silentClass}" data-user-id="*">${text}</span>`;
      case 'topic':
        if (!silent) this.mentionsTopic = true;
        return `<span class="topic-mention${silentClass}">${text}</span>`;
    }
  }
}

/** The text of the link that begins before `start`. */
function labelOf(tokens: readonly Token[], start: number): string {
  let label = '';
  for (const token of tokens.slice(start)) {
    if (token.type === 'link_close') break;
    label += token.content;
  }
  return label.trim();
}

function headingTag(token: Token): string {
  return /^h[1-6]$/.test(token.tag) ? token.tag : 'h6';
}

function isBlankLabel(tokens: readonly Token[], start: number): boolean {
  const first = tokens[start];
  if (first?.type === 'link_close') return true;
  return first?.type === 'text' && first.content.trim() === '' && tokens[start + 1]?.type === 'link_close';
}

function renderChannelLink(link: ChannelLink): string {
  const channel = escapeText(link.channel.name);
  const topic = link.topic === '' ? GENERAL_CHAT : escapeText(link.topic ?? '');
  const href = escapeAttribute(link.href);
  const id = link.channel.id;
  switch (link.kind) {
    case 'channel':
      return `<a class="stream" data-stream-id="${id}" href="${href}">#${channel}</a>`;
    case 'topic':
      return `<a class="stream-topic" data-stream-id="${id}" href="${href}">#${channel} &gt; ${topic}</a>`;
    case 'message':
      return `<a class="message-link" href="${href}">#${channel} &gt; ${topic} @ 💬</a>`;
  }
}

function renderEmoji(named: NamedEmoji): string {
  if (named.kind === 'unicode') return unicodeEmojiSpan(named.code, named.name);
  const name = escapeAttribute(named.emoji.name);
  const title = name.replaceAll('_', ' ');
  const source = escapeAttribute(named.emoji.sourceUrl);
  return `<img alt=":${name}:" class="emoji" src="${source}" title="${title}">`;
}

function unicodeEmojiSpan(code: string, name: string): string {
  const title = name.replaceAll('_', ' ');
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
}

function renderTime(written: string, datetime: unknown): string {
  const text = escapeText(written);
  if (typeof datetime !== 'string') {
    return `<span class="timestamp-error">Invalid time format: ${text}</span>`;
  }
  return `<time datetime="${datetime}">${text}</time>`;
}
