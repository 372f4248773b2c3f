/** HTML of what stands in a line: links, emoji and times. */
import type { Token } from 'markdown-it';
import type { ChannelLink } from './channel-links.ts';
import type { NamedEmoji } from './emoji-syntax.ts';
import { escapeAttribute, escapeText } from './html-text.ts';
import type { MediaLink } from './media-syntax.ts';

/** What links show for the topic without a name. */
const GENERAL_CHAT = '<em>general chat</em>';
/** The text of the link that begins before `start`. */
export function labelOf(tokens: readonly Token[], start: number): string {
  let label = '';
  for (const token of tokens.slice(start)) {
    if (token.type === 'link_close') break;
    label += token.content;
  }
  return label.trim();
}

/** Whether a line is one address and nothing else, which a preview of what is there replaces (public reference). */
export function isLoneAddress(line: Token | undefined): boolean {
  const [open, text, close, ...others] = line?.children ?? [];
  if (open?.type !== 'link_open' || text?.type !== 'text' || close?.type !== 'link_close') return false;
  return others.length === 0 && text.content === open.attrGet('href') && open.attrGet('title') === null;
}

/** Whether the link was written as `![text](address)`. */
export function isMedia(token: Token): boolean {
  return (token.meta as MediaLink | null)?.isMedia === true;
}

export function isBlankLabel(tokens: readonly Token[], start: number): boolean {
  const first = tokens[start];
  if (first?.type === 'link_close') return true;
  return first?.type === 'text' && first.content.trim() === '' && tokens[start + 1]?.type === 'link_close';
}

export function renderChannelLink(link: ChannelLink): string {
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

export function renderEmoji(named: NamedEmoji): string {
  if (named.kind === 'unicode') return unicodeEmojiSpan(named.code, named.name);
  const name = escapeAttribute(named.emoji.name);
  const title = name.replaceAll('_', ' ');
  const source = escapeAttribute(named.emoji.sourceUrl);
  return `<img alt=":${name}:" class="emoji" src="${source}" title="${title}">`;
}

export function unicodeEmojiSpan(code: string, name: string): string {
  const title = name.replaceAll('_', ' ');
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
}

export function renderTime(written: string, datetime: unknown): string {
  const text = escapeText(written);
  if (typeof datetime !== 'string') {
    return `<span class="timestamp-error">Invalid time format: ${text}</span>`;
  }
  return `<time datetime="${datetime}">${text}</time>`;
}
