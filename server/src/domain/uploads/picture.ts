/** What is known about a file that is a picture, and its thumbnails. */
import type { MarkupPicture } from '../../markup/index.ts';
import { isShown } from './names.ts';

export interface ThumbnailFormat {
  /** The last part of its address. */
  readonly name: string;
  readonly maxWidth: number;
  readonly maxHeight: number;
  readonly isAnimated: boolean;
}

/** The content of `attachments.picture`. */
export interface StoredPicture {
  /** Pixels, after rotation. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Null until they are drawn. */
  readonly thumbnails: readonly StoredThumbnail[] | null;
}

export interface StoredThumbnail {
  readonly format: string;
  /** Its key in the storage. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

const MOVING: ThumbnailFormat = { name: '840x560-anim.webp', maxWidth: 840, maxHeight: 560, isAnimated: true };
const STILL: ThumbnailFormat = { name: '840x560.webp', maxWidth: 840, maxHeight: 560, isAnimated: false };

/** The formats that every picture can have (public reference: `server_thumbnail_formats`). */
export const THUMBNAIL_FORMATS: readonly ThumbnailFormat[] = [MOVING, STILL];

/** The replacement for pictures that browsers cannot show. So it is large. */
function transcodedFormat({ width, height }: Pick<StoredPicture, 'width' | 'height'>): ThumbnailFormat {
  return width >= height
    ? { name: '4032x3024.webp', maxWidth: 4032, maxHeight: 3024, isAnimated: false }
    : { name: '3024x4032.webp', maxWidth: 3024, maxHeight: 4032, isAnimated: false };
}

/** The formats to draw for a picture. */
export function formatsFor(picture: Pick<StoredPicture, 'width' | 'height' | 'frames'>, contentType: string) {
  const formats = picture.frames > 1 ? THUMBNAIL_FORMATS : [STILL];
  return isShown(contentType) ? formats : [...formats, transcodedFormat(picture)];
}

/** The picture in the form of the renderer. */
export function markupPicture(pathId: string, contentType: string, picture: StoredPicture): MarkupPicture {
  const { width, height, frames, thumbnails } = picture;
  const isAnimated = frames > 1;
  const format = isAnimated ? MOVING : STILL;
  const isDrawn = thumbnails?.some(({ format: name }) => name === format.name) === true;
  return {
    width,
    height,
    contentType,
    isAnimated,
    thumbnailUrl: isDrawn ? `/user_uploads/thumbnail/${pathId}/${format.name}` : null,
    transcoded: isShown(contentType) ? null : transcodedFormat(picture).name,
  };
}
