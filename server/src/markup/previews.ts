/** Uploaded pictures and films as messages show them: below the paragraph that links to them (public reference: "Message formatting"). */
import { escapeAttribute } from './html-text.ts';
import type { MarkupPicture, MarkupUpload } from './types.ts';

/** What stands where a picture is not drawn yet; the server has it. */
export const LOADING_PICTURE = '/static/images/loading/loader-black.svg';

/** With more of them a message shows none (public reference). */
export const MOST_PREVIEWS = 24;

const FILMS = new Set(['video/mp4', 'video/webm']);

/** A link to an uploaded file, as it stands in the message. */
export interface UploadLink {
  readonly pathId: string;
  readonly href: string;
  readonly title: string;
}

/** The HTML that shows the file; undefined where it is nothing that is shown. */
export function preview(link: UploadLink, { contentType, picture }: MarkupUpload): string | undefined {
  const href = escapeAttribute(link.href.startsWith('/') ? link.href : `/${link.href}`);
  const title = link.title === '' ? '' : ` title="${escapeAttribute(link.title)}"`;
  if (picture !== null) {
    return `<div class="message_inline_image"><a href="${href}"${title}>${image(picture)}</a></div>\n`;
  }
  if (!FILMS.has(contentType)) return undefined;
  const film = `<video preload="metadata" src="${href}"></video>`;
  return `<div class="message_inline_image message_inline_video"><a href="${href}"${title}>${film}</a></div>\n`;
}

function image({ width, height, contentType, isAnimated, thumbnailUrl, transcoded }: MarkupPicture): string {
  const type = escapeAttribute(contentType);
  const size = `data-original-dimensions="${width}x${height}"`;
  if (thumbnailUrl === null) {
    return `<img class="image-loading-placeholder" data-original-content-type="${type}" ${size} src="${LOADING_PICTURE}">`;
  }
  const moving = isAnimated ? 'data-animated="true" ' : '';
  const other = transcoded === null ? '' : ` data-transcoded-image="${transcoded}"`;
  return `<img ${moving}data-original-content-type="${type}" ${size}${other} src="${escapeAttribute(thumbnailUrl)}">`;
}

const WAITING =
  /<div class="message_inline_image"><a href="([^"]*)"([^>]*)><img class="image-loading-placeholder"[^>]*><\/a><\/div>\n?/g;

/** A message's HTML with the picture in place of what stood there while it was drawn. */
export function showPicture(html: string, pathId: string, picture: MarkupPicture): string {
  return html.replaceAll(WAITING, (whole: string, href: string, title: string) => {
    if (uploadPathOf(unescaped(href)) !== pathId) return whole;
    const end = whole.endsWith('\n') ? '\n' : '';
    return `<div class="message_inline_image"><a href="${href}"${title}>${image(picture)}</a></div>${end}`;
  });
}

/** A message's HTML without a picture that cannot be drawn. */
export function withoutPicture(html: string, pathId: string): string {
  const without = html.replaceAll(WAITING, (whole: string, href: string) =>
    uploadPathOf(unescaped(href)) === pathId ? '' : whole,
  );
  // Nothing ends with a line's end; what stood before the last picture now ends it.
  return without.trimEnd();
}

/** What of a link's address names an uploaded file, as the database has it; undefined for other links. */
export function uploadPathOf(href: string): string | undefined {
  const [, path] = /^\/?user_uploads\/(\d+\/[^?#]+)/.exec(href) ?? [];
  if (path === undefined) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function unescaped(value: string): string {
  return value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
