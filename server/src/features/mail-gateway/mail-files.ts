/** Which parts of a mail are files for the message. */
import type { Attachment } from 'postal-mime';

const MAX_FILES = 10;
/** Further files are named only. */
const MAX_NAMED_FILES = 20;
/** A larger picture in a text is not a decoration. Logos and icons of signatures are smaller than most photos and screenshots. */
const MAX_DECORATION_BYTES = 32 * 1024;
/** Characters of HTML that are examined, and pictures in it. */
const MAX_HTML_LENGTH = 1_000_000;
const MAX_PICTURES = 200;

export interface MailFiles {
  readonly kept: readonly Attachment[];
  /** Files that are too many. */
  readonly leftOut: { readonly named: readonly Attachment[]; readonly count: number };
}

/**
 * Every part that has a name, is marked as an attachment, or is a picture or a recording. Mail programs of phones show
 * such files in the text. Small pictures to which the HTML of a mail with text refers are decorations, and no files.
 */
export function filesOf(
  attachments: readonly Attachment[],
  { html, hasText }: { readonly html: string; readonly hasText: boolean },
): MailFiles {
  const pictures = hasText ? picturesIn(html) : new Set();
  const files = attachments.filter((part) => isFile(part) && !(isSmallPicture(part) && pictures.has(idOf(part))));
  const excess = files.slice(MAX_FILES);
  return {
    kept: files.slice(0, MAX_FILES),
    leftOut: { named: excess.slice(0, MAX_NAMED_FILES), count: excess.length },
  };
}

function isFile({ disposition, filename, mimeType }: Attachment): boolean {
  return disposition === 'attachment' || (filename ?? '') !== '' || /^(image|audio|video)\//.test(mimeType);
}

function isSmallPicture({ disposition, mimeType, content }: Attachment): boolean {
  const size = typeof content === 'string' ? content.length : content.byteLength;
  return disposition !== 'attachment' && mimeType.startsWith('image/') && size <= MAX_DECORATION_BYTES;
}

/** Of the pictures that the HTML shows (RFC 2392). */
function picturesIn(html: string): ReadonlySet<string> {
  const found = html.slice(0, MAX_HTML_LENGTH).matchAll(/\bcid:([^"'\s<>)]{1,300})/gi);
  return new Set(found.take(MAX_PICTURES).map(([, id = '']) => id.toLowerCase()));
}

function idOf({ contentId = '' }: Attachment): string {
  return contentId.replace(/^<|>$/g, '').toLowerCase();
}
