/** Uploads that must be completely in memory to be decoded. Their size and their number are limited. */
import { serviceUnavailable } from '@heddle/api/errors.ts';
import { ConcurrencyLimiter } from '../concurrency-limiter.ts';

/** Limits a file, in bytes. */
const MAX_PICTURE_UPLOAD_BYTES = 5 * 1024 * 1024;
/** The same limit as clients get it, in MiB. */
export const MAX_PICTURE_UPLOAD_MIB = MAX_PICTURE_UPLOAD_BYTES / 1024 / 1024;
/** The body limits of routes that accept a picture, including the form around it. */
export const PICTURE_BODY = {
  maximumBytes: MAX_PICTURE_UPLOAD_BYTES + 16 * 1024,
  withinSeconds: 60,
  maximumFields: 24,
} as const;
/** Limits the memory of all uploads together while they arrive, in bytes. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
let held = 0;
/** Each account uploads one picture at a time, so that slow uploads of one account do not delay others. */
const accounts = new ConcurrencyLimiter({ atOnce: 1, maxWaiting: 19, refusal: tooManyPictures });

/**
 * Waits for its turn, reads the file and passes its bytes to `use`. The queue is per account.
 * @throws ApiError 503 if there are too many uploads
 */
export function withBytes<Result>(
  account: string,
  content: AsyncIterable<Buffer>,
  use: (bytes: Buffer) => Promise<Result>,
): Promise<Result> {
  return accounts.run(account, () => gather(content, use));
}

async function gather<Result>(
  content: AsyncIterable<Buffer>,
  use: (bytes: Buffer) => Promise<Result>,
): Promise<Result> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of content) {
      if (held + chunk.length > MAX_HELD_BYTES) throw tooManyPictures();
      held += chunk.length;
      length += chunk.length;
      chunks.push(chunk);
    }
    return await use(Buffer.concat(chunks));
  } finally {
    held -= length;
  }
}

export function tooManyPictures() {
  return serviceUnavailable('Too many pictures at once; please try again');
}
