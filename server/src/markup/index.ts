import { timeOfRequest } from '../time-spent.ts';
import { escapeText } from './html-text.ts';
import { parseBlocks, parseInline } from './parser.ts';
import type { RenderState } from './render-state.ts';
import { Renderer } from './renderer.ts';
import { isSafeHtml } from './sanitizer.ts';
import type { MarkupDirectory, RenderedMarkup, RenderOptions } from './types.ts';

export { type Embed, type PreviewableLink, previewableLinks, showEmbeds } from './embeds.ts';
export { emojiByCode, emojiByName, emojiCodeOf, emojiData } from './emoji.ts';
export { EXTRA_EMOJI_PATH } from './emoji-syntax.ts';
export { replaceProse, withoutFencedCode } from './fenced-code.ts';
export { htmlDifferences } from './html-diff.ts';
export { escapeText } from './html-text.ts';
export { IMAGE_NAME, safeLinkUrl } from './link-urls.ts';
export { groupsOfPattern, type LinkifierSource, Linkifiers, PatternError } from './linkifiers.ts';
export { type MentionsIn, mentionsIn } from './mentions-in.ts';
export { channelPath, directMessagePath, encodeHashComponent, messagePath, topicPath } from './narrow-url.ts';
export { LOADING_PICTURE, showPicture, withoutPicture } from './previews.ts';
export { type TopicLink, topicLinks } from './topic-links.ts';
export type {
  MarkupChannel,
  MarkupDirectory,
  MarkupEmoji,
  MarkupGroup,
  MarkupPicture,
  MarkupUpload,
  MarkupUser,
  RenderedMarkup,
  RenderOptions,
} from './types.ts';
export { urlTemplateOf } from './url-templates.ts';

/**
 * Renders a message's source as the HTML that clients of this API parse. Also returns whom the message mentions and what it contains. No
 * source makes it throw, and the source's length bounds the time and the size of the output. The caller checks the length, and refuses
 * blank messages.
 */
export function renderMessage(source: string, directory: MarkupDirectory, options: RenderOptions): RenderedMarkup {
  const time = timeOfRequest();
  if (time === undefined) return rendered(source, directory, options);
  const begunAt = performance.now();
  try {
    return rendered(source, directory, options);
  } finally {
    time.add('render', performance.now() - begunAt);
  }
}

function rendered(source: string, directory: MarkupDirectory, options: RenderOptions): RenderedMarkup {
  const state: RenderState = { directory, options };
  const renderer = new Renderer(options, directory);
  const html = checked(renderer.renderBlocks(parseBlocks(source, state)), source);
  if (renderer.hasTooManyPreviews) {
    return rendered(source, directory, { ...options, showsUploads: false, imageProxy: undefined });
  }
  return {
    html,
    mentionedUserIds: [...renderer.mentionedUserIds],
    mentionedGroupIds: [...renderer.mentionedGroupIds],
    mentionsChannel: renderer.mentionsChannel,
    mentionsTopic: renderer.mentionsTopic,
    isMeMessage: source.startsWith('/me '),
    hasLink: renderer.hasLink,
    hasImage: renderer.hasImage,
    hasAttachment: renderer.hasAttachment,
    uploads: [...renderer.uploads],
  };
}

/**
 * Renders a channel's description: links, emphasis, code, emoji and mentions in running text, but no blocks. Its mentions cause no
 * notifications, and wildcards stay text.
 */
export function renderChannelDescription(source: string, directory: MarkupDirectory, organizationUrl: string): string {
  if (source === '') return '';
  const options: RenderOptions = { allowWildcardMentions: false, organizationUrl };
  const state: RenderState = { directory, options };
  const tokens = parseInline(source, state);
  return checked(`<p>${new Renderer(options, directory).renderInline(tokens[0]?.children ?? [])}</p>`, source);
}

/** HTML that an archive brings, if this renderer could have made it. Otherwise the source as plain text. */
export function checkedHtml(html: string, source: string): string {
  return checked(html, source);
}

function checked(html: string, source: string): string {
  if (isSafeHtml(html)) return html;
  return `<p>${escapeText(source).replaceAll('\n', '<br>\n')}</p>`;
}
