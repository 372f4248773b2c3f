/** Recognizes uploaded pictures and draws thumbnails of them. */
import { open } from 'node:fs/promises';
import type { Metadata } from 'sharp';
import { headerTurns, legible, pictureLibrary, pictureTooLarge, pictureTurns } from '../../pictures/decoding.ts';
import { hasFewPages, readingFrom } from '../../pictures/tiff.ts';
import type { Storage } from '../../storage/storage.ts';
import { formatsFor, type StoredPicture, type ThumbnailFormat } from './picture.ts';

/** Content types with thumbnails. SVG is not among them, nor any type whose decoder runs a program. */
const DRAWN = new Set(['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/tiff', 'image/webp']);

/** Bytes. Larger files are not examined. */
const MAX_SOURCE_BYTES = 64 * 1024 * 1024;
/**
 * Bounds on the decoded size, because few bytes can claim to be a huge picture. Pixels of a picture; pixels of all
 * drawn frames of an animation.
 */
const MAX_PIXELS = 90_000_000;
const MAX_ANIMATED_PIXELS = 30_000_000;
const MAX_FRAMES = 500;
const MIN_FRAMES = 3;
const DRAWING_TIMEOUT_SECONDS = 20;

interface PictureFile {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
}

/** Reads the header of a picture. Null if the file is not a picture, or not one that gets thumbnails. */
export async function readPicture(storage: Storage, file: PictureFile): Promise<StoredPicture | null> {
  if (!DRAWN.has(file.contentType) || file.size > MAX_SOURCE_BYTES || file.size === 0) return null;
  const sharp = await pictureLibrary();
  return headerTurns.run('all', async () => {
    const input = await storage.whole(file.key, file.size);
    if (!(await isShort(input))) return null;
    const metadata = await sharp(input, { limitInputPixels: false })
      .metadata()
      .catch(() => undefined);
    return metadata === undefined ? null : pictureBy(metadata);
  });
}

async function isShort(input: string | Buffer): Promise<boolean> {
  if (typeof input !== 'string') return hasFewPages(readingFrom(input));
  const file = await open(input);
  try {
    return await hasFewPages(async (start, length) => {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(length),
        0,
        length,
        Math.min(start, Number.MAX_SAFE_INTEGER),
      );
      return buffer.subarray(0, bytesRead);
    });
  } finally {
    await file.close();
  }
}

function pictureBy(metadata: Metadata): StoredPicture | null {
  const { pages = 1 } = metadata;
  const frames = metadata.format === 'gif' || metadata.format === 'webp' ? pages : 1;
  const { width, height } = metadata.autoOrient;
  const seen = { width, height: frames > 1 ? (metadata.pageHeight ?? height) : height };
  const pixels = seen.width * seen.height;
  if (pixels > MAX_PIXELS || (frames > 1 && pixels * Math.min(frames, MIN_FRAMES) > MAX_ANIMATED_PIXELS)) return null;
  return { ...seen, frames, thumbnails: null };
}

/**
 * Draws the picture in all of its formats, one after the other. It takes turns with all other drawing in this process.
 * @param draw receives each thumbnail
 * @throws ApiError `BAD_IMAGE`
 */
export async function drawPicture(
  storage: Storage,
  file: PictureFile,
  picture: StoredPicture,
  draw: (format: ThumbnailFormat, bytes: Buffer) => Promise<void>,
): Promise<void> {
  if (file.size > MAX_SOURCE_BYTES) throw pictureTooLarge();
  const sharp = await pictureLibrary();
  for (const format of formatsFor(picture, file.contentType)) {
    const bytes = await pictureTurns.run('all', async () => {
      const input = await storage.whole(file.key, file.size);
      return legible(() => {
        const pages = format.isAnimated ? framesDrawn(picture) : 1;
        const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, pages } as const;
        const source = sharp(input, options);
        const upright = format.isAnimated ? source : source.autoOrient();
        return upright
          .resize(format.maxWidth, format.maxHeight, { fit: 'inside', withoutEnlargement: true })
          .webp()
          .timeout({ seconds: DRAWING_TIMEOUT_SECONDS })
          .toBuffer();
      });
    });
    await draw(format, bytes);
  }
}

function framesDrawn({ width, height, frames }: StoredPicture): number {
  return Math.min(frames, MAX_FRAMES, Math.max(1, Math.floor(MAX_ANIMATED_PIXELS / (width * height))));
}
