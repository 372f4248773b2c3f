import type { Token } from 'markdown-it';
import type { ChannelLink } from './channel-links.ts';
import { newHighlightBudget, renderCodeBlock } from './code-blocks.ts';
import { replaceUnicodeEmoji } from './emoji.ts';
import type { NamedEmoji } from './emoji-syntax.ts';
import { escapeAttribute, escapeText } from './html-text.ts';
import {
  isBlankLabel,
  isLoneAddress,
  isMedia,
  labelOf,
  renderChannelLink,
  renderEmoji,
  renderTime,
  unicodeEmojiSpan,
} from './inline-html.ts';
import { isAllowedHref, isExternalImageUrl, isImageUrl, isUploadUrl, relativeToOrganization } from './link-urls.ts';
import type { Mention } from './mentions.ts';
import {
  audioPlayer,
  type ExternalLink,
  externalPreview,
  MAX_PREVIEWS,
  preview,
  type UploadLink,
  uploadPathOf,
} from './previews.ts';
import { newTexBudget, renderInlineTex, renderTexBlock } from './tex.ts';
import type { MarkupDirectory, RenderOptions } from './types.ts';

/** A cheap test for text that may contain a literal emoji: every emoji has one of these code units. */
const MAYBE_EMOJI = /[\u00A9\u00AE\u203C-\u3299\uD83C-\uD83E]/;
/** The language of a block of formulas. */
const MATH = /^math$/i;
/** Of the lines of fenced code. */
const BLANKS_AT_ENDS = /(?<![ \t])[ \t]+$/gm;
const ALIGNMENTS: Record<string, string> = {
  'text-align:left': ' style="text-align: left;"',
  'text-align:center': ' style="text-align: center;"',
  'text-align:right': ' style="text-align: right;"',
};

/** Tokens that are always the same HTML. The class below handles the others, or writes nothing for them. */
const BLOCK_TAGS: Record<string, string> = {
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

/** A link whose text is still to be written. */
interface OpenLink {
  readonly opening: string;
  /** `plain`: no literal emoji become spans; `left out`: the text is written already, or is part of the opening tag. */
  readonly label: 'plain' | 'rich' | 'left out';
  readonly closing: string;
}

/**
 * Writes the tokens of one message as HTML and records what the message contains. The HTML has the form that clients of this API parse.
 * Everything that a user wrote is escaped.
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
  /** Of the quotes around the text that is being written: mentions in a quote are silent. */
  #quoteDepth = 0;
  /** Columns of the table whose head is being written. */
  #tableColumns = 0;
  readonly #budget = newHighlightBudget();
  readonly #texBudget = newTexBudget();

  /** What the paragraph that is being written links to and shows below itself. */
  #links: (UploadLink | ExternalLink)[] = [];
  /** Images of other servers that the message shows already. */
  readonly #shownImages = new Set<string>();
  #previews = 0;

  constructor(options: RenderOptions, directory: MarkupDirectory) {
    this.#options = options;
    this.#directory = directory;
  }

  /** HTML of block tokens, without a newline at the end. */
  renderBlocks(tokens: readonly Token[]): string {
    let html = '';
    let paragraphStart = 0;
    for (const [index, token] of tokens.entries()) {
      switch (token.type) {
        case 'inline':
          html += this.renderInline(token.children ?? []);
          break;
        case 'paragraph_open':
          paragraphStart = html.length;
          if (!token.hidden) html += '<p>';
          // Links in headings and tables have no previews.
          this.#links = [];
          break;
        case 'paragraph_close': {
          const previews = this.#links.length === 0 ? '' : this.#previewLinks();
          const isReplaced = previews !== '' && isLoneAddress(tokens[index - 1]);
          html = isReplaced ? html.slice(0, paragraphStart) + previews : html + paragraphEnd(token, previews);
          break;
        }
        default:
          html += BLOCK_TAGS[token.type] ?? this.#renderBlock(token, tokens[index + 1]);
      }
    }
    return html.endsWith('\n') ? html.slice(0, -1) : html;
  }

  /** Blocks whose HTML depends on more than the type of their token. */
  #renderBlock(token: Token, next: Token | undefined): string {
    switch (token.type) {
      case 'blockquote_open':
        this.#quoteDepth++;
        return '<blockquote>\n';
      case 'blockquote_close':
        this.#quoteDepth--;
        return '</blockquote>\n';
      case 'heading_open':
        return `<${headingTag(token)}>`;
      case 'heading_close':
        return `</${headingTag(token)}>\n`;
      case 'ordered_list_open':
        return listStart(token);
      case 'list_item_open':
        return next?.type === 'list_item_close' || next?.hidden ? '<li>' : '<li>\n';
      case 'th_open':
        this.#tableColumns++;
        return `<th${alignment(token)}>`;
      case 'td_open':
        return `<td${alignment(token)}>`;
      case 'thead_close':
        return this.#endTableHead(next);
      case 'fence':
        return `${this.#renderFence(token)}\n`;
      case 'code_block':
        return `${renderCodeBlock(token.content, '', this.#budget)}\n`;
      default:
        return '';
    }
  }

  #endTableHead(next: Token | undefined): string {
    const columns = this.#tableColumns;
    this.#tableColumns = 0;
    if (next?.type !== 'table_close') return '</thead>\n';
    // Clients reject a table without a body.
    return `</thead>\n<tbody>\n<tr>\n${'<td></td>\n'.repeat(columns)}</tr>\n</tbody>\n`;
  }

  renderInline(tokens: readonly Token[]): string {
    let html = '';
    let link: OpenLink | undefined;
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'link_open') {
        link = this.#openLink(token, tokens, index);
        html += link.opening;
      } else if (token.type === 'link_close') {
        html += link?.closing ?? '';
        link = undefined;
      } else if (link?.label !== 'left out') {
        html += token.type === 'text' && link?.label === 'plain' ? escapeText(token.content) : this.#renderSpan(token);
      }
    }
    return html;
  }

  /** Anything in a line but links. */
  #renderSpan(token: Token): string {
    switch (token.type) {
      case 'text':
        return this.#renderText(token.content);
      case 'code_inline':
        return `<code>${escapeText(token.content)}</code>`;
      case 'mention':
        return this.#renderMention(token.meta?.mention as Mention);
      case 'channel_link':
        this.hasLink = true;
        return renderChannelLink(token.meta?.link as ChannelLink);
      case 'emoji':
        return renderEmoji(token.meta?.emoji as NamedEmoji);
      case 'tex':
        return renderInlineTex(token.content, this.#texBudget);
      case 'global_time':
        return renderTime(token.content, token.meta?.datetime);
      default:
        return INLINE_TAGS[token.type] ?? escapeText(token.content);
    }
  }

  #renderFence(token: Token): string {
    const info = token.info.trim() || (this.#options.defaultCodeLanguage ?? '');
    if (MATH.test(info)) return renderTexBlock(token.content, this.#texBudget);
    const code = token.content.replace(BLANKS_AT_ENDS, '');
    return renderCodeBlock(code, info, this.#budget);
  }

  #renderText(text: string): string {
    const escaped = escapeText(text);
    return MAYBE_EMOJI.test(escaped) ? replaceUnicodeEmoji(escaped, unicodeEmojiSpan) : escaped;
  }

  #openLink(token: Token, tokens: readonly Token[], index: number): OpenLink {
    const href = relativeToOrganization(String(token.attrGet('href') ?? ''), this.#options.organizationUrl);
    if (href === '' || !isAllowedHref(href)) {
      return { opening: isMedia(token) ? '![' : '[', label: 'rich', closing: ']()' };
    }
    this.hasLink = true;
    this.hasImage ||= isImageUrl(href);
    const written = token.attrGet('title');
    const title = written === null ? undefined : String(written);
    if (this.#options.imageProxy !== undefined && this.#quoteDepth === 0) this.#noteImage(href, title, tokens, index);
    if (isUploadUrl(href)) {
      const player = this.#noteUpload(href, title ?? labelOf(tokens, index + 1), isMedia(token));
      if (player !== undefined) return { opening: player, label: 'left out', closing: '' };
    }
    const titleAttribute = title === undefined ? '' : ` title="${escapeAttribute(title)}"`;
    const opening = `<a href="${escapeAttribute(href)}"${titleAttribute}>`;
    if (!isBlankLabel(tokens, index + 1)) return { opening, label: 'plain', closing: '</a>' };
    return { opening: opening + escapeText(href), label: 'left out', closing: '</a>' };
  }

  /** Notes a link to an image of another server, which the message shows once. */
  #noteImage(href: string, title: string | undefined, tokens: readonly Token[], index: number): void {
    if (!isExternalImageUrl(href, this.#options.organizationUrl) || this.#shownImages.has(href)) return;
    const source = this.#options.imageProxy?.(href);
    if (source === undefined) return;
    const label = title ?? labelOf(tokens, index + 1);
    this.#links.push({ href, title: label === href ? '' : label, source });
  }

  /** Returns the player of an audio file that is written as media. */
  #noteUpload(href: string, title: string, isMedia: boolean): string | undefined {
    this.hasAttachment = true;
    const pathId = uploadPathOf(href);
    if (pathId === undefined) return undefined;
    const link = { pathId, href, title };
    // A message shows each file once, and none that it quotes.
    if (!this.uploads.has(pathId) && this.#quoteDepth === 0) this.#links.push(link);
    this.uploads.add(pathId);
    const upload = isMedia ? this.#directory.upload?.(pathId) : undefined;
    return upload && audioPlayer(link, upload);
  }

  /** The previews below the paragraph; empty where there are none. */
  #previewLinks(): string {
    const links = this.#links;
    this.#links = [];
    const shown = links.flatMap((link) => {
      if (!('source' in link)) return this.#uploadPreview(link) ?? [];
      if (this.#shownImages.has(link.href)) return [];
      this.#shownImages.add(link.href);
      return externalPreview(link);
    });
    this.#previews += shown.length;
    return shown.join('');
  }

  #uploadPreview(link: UploadLink): string | undefined {
    if (this.#options.showsUploads !== true) return undefined;
    const upload = this.#directory.upload?.(link.pathId);
    return upload && preview(link, upload);
  }

  /** Whether the message has more previews than a message may show. */
  get hasTooManyPreviews(): boolean {
    return this.#previews > MAX_PREVIEWS;
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

function headingTag(token: Token): string {
  return /^h[1-6]$/.test(token.tag) ? token.tag : 'h6';
}

function paragraphEnd({ hidden }: Token, previews: string): string {
  if (!hidden) return `</p>\n${previews}`;
  return previews === '' ? '' : `\n${previews}`;
}

function listStart(token: Token): string {
  const start = Number(token.attrGet('start') ?? 1);
  return start === 1 ? '<ol>\n' : `<ol start="${start}">\n`;
}

/** The attribute of a cell, with the space before it. */
function alignment(token: Token): string {
  return ALIGNMENTS[token.attrGet('style') ?? ''] ?? '';
}
