/**
 * Uploaded pictures are decoded and encoded again. So the server never serves data that was hidden in the original
 * file.
 */
import { ApiError, badImage } from '@heddle/api/errors.ts';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { ConcurrencyLimiter } from '../concurrency-limiter.ts';
import { TIMEOUT_FACTOR } from '../config/timeout-factor.ts';
import { hasFewPages, readingFrom } from './tiff.ts';
import { tooManyPictures } from './uploads.ts';

/**
 * Limits for a picture, because a few bytes can claim very many pixels: in one frame, and in all frames of an
 * animation.
 */
const MAX_PIXELS = 25_000_000;
const MAX_ANIMATION_PIXELS = 25_000_000;
const MAX_FRAMES = 500;
const TIMEOUT_SECONDS = 5 * TIMEOUT_FACTOR;
/** Formats that browsers show, by the library's names. */
const SHOWN_FORMATS: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp', 'gif', 'heif']);

/** @param input the bytes of a file, or its path */
export type Library = (input: Buffer | string, options?: SharpOptions) => Sharp;

/** A picture within the limits, which may be decoded. */
export interface Decodable {
  readonly metadata: Metadata;
  /** Its first frame, upright. */
  still(): Sharp;
  /** All its frames, if it is animated. */
  moving(): Sharp;
}

/**
 * Pictures are decoded one at a time, because that needs processor time and memory. A waiting request holds only its
 * file.
 */
export const pictureTurns = oneAtATime();

/** Headers have turns of their own: drawing takes longer, and no upload waits for it. */
export const headerTurns = oneAtATime();

function oneAtATime(): ConcurrencyLimiter {
  return new ConcurrencyLimiter({ atOnce: 1, maxWaiting: 5000, refusal: tooManyPictures });
}

/**
 * Waits for its turn, checks the picture and passes it to `draw`.
 * @throws ApiError `BAD_IMAGE` if it is not a picture, or too large
 */
export function decoded<Drawn>(content: Buffer, draw: (picture: Decodable) => Promise<Drawn>): Promise<Drawn> {
  return pictureTurns.run('all', async () => {
    const sharp = await pictureLibrary();
    if (!(await hasFewPages(readingFrom(content)))) throw pictureTooLarge();
    const metadata = await legible(() => sharp(content, { limitInputPixels: false }).metadata());
    if (!SHOWN_FORMATS.has(metadata.format ?? '')) throw pictureUnreadable();
    checkSize(metadata);
    return legible(() =>
      draw({
        metadata,
        still: () => opened(sharp, content, { limitInputPixels: MAX_PIXELS }).autoOrient(),
        moving: () => opened(sharp, content, { limitInputPixels: MAX_ANIMATION_PIXELS, animated: true }),
      }),
    );
  });
}

let library: Promise<Library> | undefined;

/** Loads the native library with the first picture, and blocks all formats except these. */
export function pictureLibrary(): Promise<Library> {
  library ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    const formats = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif', 'Tiff'];
    sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}`) });
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return library;
}

function opened(sharp: Library, content: Buffer, options: SharpOptions): Sharp {
  return sharp(content, { ...options, failOn: 'error' }).timeout({ seconds: TIMEOUT_SECONDS });
}

function checkSize({ width, height, pages = 1, pageHeight = height }: Metadata): void {
  if (pages === 1 && width * height > MAX_PIXELS) throw pictureTooLarge();
  if (pages > MAX_FRAMES || width * pageHeight * pages > MAX_ANIMATION_PIXELS) throw pictureTooLarge();
}

/**
 * Runs `decode`, and hides the library's own error messages.
 * @throws ApiError `BAD_IMAGE`
 */
export async function legible<Result>(decode: () => Promise<Result>): Promise<Result> {
  try {
    return await decode();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw pictureUnreadable();
  }
}

export function pictureUnreadable(): ApiError {
  return badImage('Could not decode image; did you upload an image file?');
}

export function pictureTooLarge(): ApiError {
  return badImage('Image size exceeds limit.');
}
