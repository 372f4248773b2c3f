/** How pictures are decoded that people upload: in few formats, within bounds, one at a time. */
import { type ApiError, badImage } from '@heddle/api/errors.ts';
import type { Sharp, SharpOptions } from 'sharp';
import { OneAtATime } from '../directory/one-at-a-time.ts';

/** One at a time: decoding takes a processor and memory, and whoever waits holds no more than the file. */
export const pictureTurns = new OneAtATime();

/** @param input a file's bytes, or where it lies */
export type PictureLibrary = (input: Buffer | string, options: SharpOptions) => Sharp;

let library: Promise<PictureLibrary> | undefined;

/** The native library is loaded with the first picture, and can read no formats but these. */
export function pictureLibrary(): Promise<PictureLibrary> {
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

/**
 * What the library says of a broken file is for nobody.
 * @throws ApiError `BAD_IMAGE`
 */
export async function decoding<Result>(decode: () => Promise<Result>): Promise<Result> {
  try {
    return await decode();
  } catch {
    throw badImage('Could not decode image; did you upload an image file?');
  }
}

export function pictureTooLarge(): ApiError {
  return badImage('Image size exceeds limit.');
}
