/** Of a file that is a picture: what is known of it, and which drawings of it there are. */
import type { MarkupPicture } from '../../markup/index.ts';
import { isShown } from './names.ts';

export interface ThumbnailFormat {
  /** The last part of its address. */
  readonly name: string;
  readonly maxWidth: number;
  readonly maxHeight: number;
  readonly isAnimated: boolean;
}

/** What `attachments.picture` holds. */
export interface StoredPicture {
  /** As it is seen, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Null until they are drawn. */
  readonly thumbnails: readonly StoredThumbnail[] | null;
}

export interface StoredThumbnail {
  readonly format: string;
  /** Where it lies in the storage. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

const MOVING: ThumbnailFormat = { name: '840x560-anim.webp', maxWidth: 840, maxHeight: 560, isAnimated: true };
const STILL: ThumbnailFormat = { name: '840x560.webp', maxWidth: 840, maxHeight: 560, isAnimated: false };

/** What clients may ask for of every picture (public reference: `server_thumbnail_formats`). */
export const THUMBNAIL_FORMATS: readonly ThumbnailFormat[] = [MOVING, STILL];

/** Of pictures that browsers do not show: large enough to stand for them. */
function transcodedFormat({ width, height }: Pick<StoredPicture, 'width' | 'height'>): ThumbnailFormat {
  return width >= height
    ? { name: '4032x3024.webp', maxWidth: 4032, maxHeight: 3024, isAnimated: false }
    : { name: '3024x4032.webp', maxWidth: 3024, maxHeight: 4032, isAnimated: false };
}

/** What is drawn of a picture. */
export function formatsFor(picture: Pick<StoredPicture, 'width' | 'height' | 'frames'>, contentType: string) {
  const formats = picture.frames > 1 ? THUMBNAIL_FORMATS : [STILL];
  return isShown(contentType) ? formats : [...formats, transcodedFormat(picture)];
}

/** The picture as messages show it. */
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
