/**
 * Pictures that people upload are decoded and drawn anew: what is served is what we have written, with nothing in it that was hidden in
 * the original.
 */
import { ApiError, badImage } from '@heddle/api/errors.ts';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { OneAtATime } from '../directory/one-at-a-time.ts';
import { hasFewPages, readingFrom } from './tiff.ts';

/** What a few bytes may be said to hold: pixels of a picture, and of all frames of one that moves. */
const MOST_PIXELS = 25_000_000;
const MOST_MOVING_PIXELS = 25_000_000;
const MOST_FRAMES = 500;
const SECONDS = 5;
/** What browsers show, by the library's names. */
const SHOWN_FORMATS: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp', 'gif', 'heif']);

/** @param input a file's bytes, or where it lies */
export type Library = (input: Buffer | string, options?: SharpOptions) => Sharp;

/** A picture that may be decoded: neither it nor what it is said to hold is too large. */
export interface Decodable {
  readonly metadata: Metadata;
  /** Its first frame, upright. */
  still(): Sharp;
  /** All its frames, where it moves. */
  moving(): Sharp;
}

/** One at a time: decoding takes a processor and memory, and whoever waits holds no more than the file. */
export const pictureTurns = new OneAtATime();

/**
 * Looks at a picture and draws it anew, when it is its turn.
 * @throws ApiError `BAD_IMAGE`: it is no picture, or too large a one
 */
export function decoded<Drawn>(content: Buffer, draw: (picture: Decodable) => Promise<Drawn>): Promise<Drawn> {
  return pictureTurns.run('in turn', async () => {
    const sharp = await pictureLibrary();
    if (!(await hasFewPages(readingFrom(content)))) throw pictureTooLarge();
    const metadata = await legible(() => sharp(content, { limitInputPixels: false }).metadata());
    if (!SHOWN_FORMATS.has(metadata.format ?? '')) throw illegible();
    checkSize(metadata);
    return legible(() =>
      draw({
        metadata,
        still: () => opened(sharp, content, { limitInputPixels: MOST_PIXELS }).autoOrient(),
        moving: () => opened(sharp, content, { limitInputPixels: MOST_MOVING_PIXELS, animated: true }),
      }),
    );
  });
}

let library: Promise<Library> | undefined;

/** The native library is loaded with the first picture, and can read no formats but these. */
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
  return sharp(content, { ...options, failOn: 'error' }).timeout({ seconds: SECONDS });
}

function checkSize({ width, height, pages = 1, pageHeight = height }: Metadata): void {
  if (pages === 1 && width * height > MOST_PIXELS) throw pictureTooLarge();
  if (pages > MOST_FRAMES || width * pageHeight * pages > MOST_MOVING_PIXELS) throw pictureTooLarge();
}

/**
 * What the library says of a broken file is for nobody.
 * @throws ApiError `BAD_IMAGE`
 */
export async function legible<Result>(decode: () => Promise<Result>): Promise<Result> {
  try {
    return await decode();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw illegible();
  }
}

function illegible(): ApiError {
  return badImage('Could not decode image; did you upload an image file?');
}

export function pictureTooLarge(): ApiError {
  return badImage('Image size exceeds limit.');
}
