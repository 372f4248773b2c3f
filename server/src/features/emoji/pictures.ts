/**
 * Pictures that people upload are decoded and drawn anew: what is served is what we have written, small, with nothing in it that was
 * hidden in the original.
 */
import { badImage, serviceUnavailable } from '@heddle/api/errors.ts';
import type { Metadata, Sharp } from 'sharp';
import { OneAtATime } from '../../directory/one-at-a-time.ts';
import { decoding, type PictureLibrary, pictureLibrary, pictureTooLarge, pictureTurns } from '../pictures.ts';

/** What is kept of an emoji. */
export interface EmojiPictures {
  readonly extension: 'png' | 'gif' | 'webp';
  readonly picture: Buffer;
  /** As PNG; null where the picture does not move. */
  readonly still: Buffer | null;
}

/** Pixels each way. */
const SIZE = 64;
/** What a few bytes may be said to hold: pixels of a picture, and of all frames of one that moves. */
const MOST_PIXELS = 25_000_000;
const MOST_MOVING_PIXELS = 25_000_000;
const MOST_FRAMES = 500;
/** Bytes of the picture that is kept. */
const LARGEST = 256 * 1024;
const SECONDS = 5;

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/**
 * @throws ApiError `BAD_IMAGE`: it is no picture, or too large a one
 */
export function readPictures(content: Buffer): Promise<EmojiPictures> {
  return pictureTurns.run('in turn', async () => {
    const sharp = await pictureLibrary();
    const metadata = await decoding(() => sharp(content, { limitInputPixels: false }).metadata());
    if (metadata.format === 'tiff') throw badImage('Could not decode image; did you upload an image file?');
    const frames = metadata.pages ?? 1;
    const format = moving(metadata);
    return format === undefined ? drawn(sharp, content, metadata) : animated(sharp, content, metadata, format, frames);
  });
}

/** The format that a picture which moves is kept in; undefined for one that does not. */
function moving({ pages = 1, format }: Metadata): 'gif' | 'webp' | undefined {
  return pages > 1 && (format === 'gif' || format === 'webp') ? format : undefined;
}

async function drawn(sharp: PictureLibrary, content: Buffer, { width, height }: Metadata): Promise<EmojiPictures> {
  if (width * height > MOST_PIXELS) throw pictureTooLarge();
  const picture = await decoding(() =>
    sharp(content, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize(SIZE, SIZE, { fit: 'cover' })
      .png()
      .timeout({ seconds: SECONDS })
      .toBuffer(),
  );
  return { extension: 'png', picture, still: null };
}

async function animated(
  sharp: PictureLibrary,
  content: Buffer,
  { width, height, pageHeight = height }: Metadata,
  format: 'gif' | 'webp',
  frames: number,
): Promise<EmojiPictures> {
  if (frames > MOST_FRAMES || width * pageHeight * frames > MOST_MOVING_PIXELS) throw pictureTooLarge();
  const options = { limitInputPixels: MOST_MOVING_PIXELS, failOn: 'error' } as const;
  const fitted = (picture: Sharp) =>
    picture.resize(SIZE, SIZE, { fit: 'contain', background: CLEAR }).timeout({ seconds: SECONDS });
  const [picture, still] = await decoding(() =>
    Promise.all([
      fitted(sharp(content, { ...options, animated: true }))
        [format]()
        .toBuffer(),
      fitted(sharp(content, options)).png().toBuffer(),
    ]),
  );
  if (picture.length > LARGEST) throw pictureTooLarge();
  return { extension: format, picture, still };
}

/** Bytes of a file. */
export const LARGEST_UPLOAD = 5 * 1024 * 1024;
/** Bytes that all uploads together may hold in memory, as they arrive. */
const MOST_HELD = 64 * 1024 * 1024;
let held = 0;
/** Uploads of one account that may be under way: one of them arrives, the others wait. */
const MOST_OF_ACCOUNT = 20;

interface Uploads {
  readonly turns: OneAtATime;
  count: number;
}

/** Accounts that upload. One picture each at a time, so that nobody's slow ones are in all others' way. */
const accounts = new Map<string, Uploads>();

/**
 * Gives a file's bytes to `use`, when it is its turn.
 * @param account whose upload it is
 * @throws ApiError 503: too many are under way
 */
export async function withBytes<Result>(
  account: string,
  content: AsyncIterable<Buffer>,
  use: (bytes: Buffer) => Promise<Result>,
): Promise<Result> {
  const uploads = accounts.get(account) ?? { turns: new OneAtATime(), count: 0 };
  if (uploads.count >= MOST_OF_ACCOUNT) throw tooManyUploads();
  uploads.count += 1;
  accounts.set(account, uploads);
  try {
    return await uploads.turns.run('in turn', () => gather(content, use));
  } finally {
    uploads.count -= 1;
    if (uploads.count === 0) accounts.delete(account);
  }
}

async function gather<Result>(
  content: AsyncIterable<Buffer>,
  use: (bytes: Buffer) => Promise<Result>,
): Promise<Result> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of content) {
      if (held + chunk.length > MOST_HELD) throw tooManyUploads();
      held += chunk.length;
      length += chunk.length;
      chunks.push(chunk);
    }
    return await use(Buffer.concat(chunks));
  } finally {
    held -= length;
  }
}

function tooManyUploads() {
  return serviceUnavailable('Too many pictures at once; please try again');
}
