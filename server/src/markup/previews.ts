/** Previews of images and films, which messages show below the paragraph that links to them (public reference: "Message formatting"). */
import { escapeAttribute } from './html-text.ts';
import type { MarkupPicture, MarkupUpload } from './types.ts';

/** Messages show this image while a picture has no thumbnail yet. This server serves it. */
export const LOADING_PICTURE = '/static/images/loading/loader-black.svg';

/** A message with more of them shows none (public reference). */
export const MAX_PREVIEWS = 24;

/** What browsers play and the server does not serve as bytes to save. */
const AUDIO = new Set(['audio/aac', 'audio/flac', 'audio/mpeg', 'audio/wav']);
const FILMS = new Set(['video/mp4', 'video/webm']);

/** A link to an uploaded file, as the message contains it. */
export interface UploadLink {
  readonly pathId: string;
  readonly href: string;
  readonly title: string;
}

/** A link to an image of another server. */
export interface ExternalLink {
  readonly href: string;
  /** Empty where the link's text is its address. */
  readonly title: string;
  /** Where readers find the image. */
  readonly source: string;
}

/** The HTML that shows the file; undefined for other types of files. */
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

/** The HTML that shows an image of another server. */
export function externalPreview({ href, title, source }: ExternalLink): string {
  const titleAttribute = title === '' ? '' : ` title="${escapeAttribute(title)}"`;
  const picture = `<img src="${escapeAttribute(source)}">`;
  return `<div class="message_inline_image"><a href="${escapeAttribute(href)}"${titleAttribute}>${picture}</a></div>\n`;
}

/** The player of an audio file; undefined where it is none. */
export function audioPlayer({ href, title }: UploadLink, { contentType }: MarkupUpload): string | undefined {
  if (!AUDIO.has(contentType)) return undefined;
  const source = escapeAttribute(href.startsWith('/') ? href : `/${href}`);
  return `<audio controls="" preload="metadata" src="${source}" title="${escapeAttribute(title)}"></audio>`;
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

/** A message's HTML with the picture in place of its loading image. */
export function showPicture(html: string, pathId: string, picture: MarkupPicture): string {
  return html.replaceAll(WAITING, (whole: string, href: string, title: string) => {
    if (uploadPathOf(unescaped(href)) !== pathId) return whole;
    const end = whole.endsWith('\n') ? '\n' : '';
    return `<div class="message_inline_image"><a href="${href}"${title}>${image(picture)}</a></div>${end}`;
  });
}

/** A message's HTML without a picture whose thumbnail cannot be made. */
export function withoutPicture(html: string, pathId: string): string {
  const without = html.replaceAll(WAITING, (whole: string, href: string) =>
    uploadPathOf(unescaped(href)) === pathId ? '' : whole,
  );
  // HTML of messages does not end with a newline, and the text before the last picture did.
  return without.trimEnd();
}

/** The part of a link's address that identifies an uploaded file, as in the database; undefined for other links. */
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
