/** Files that must be in memory whole to be decoded: so many bytes, and so many at once. */
import { serviceUnavailable } from '@heddle/api/errors.ts';
import { OneAtATime } from '../directory/one-at-a-time.ts';

/** Bytes of a file. */
export const LARGEST_UPLOAD = 5 * 1024 * 1024;
/** The same as clients are told it. */
export const LARGEST_UPLOAD_MIB = LARGEST_UPLOAD / 1024 / 1024;
/** For routes that take a picture, with what a form has around it. */
export const PICTURE_BODY = { maximumBytes: LARGEST_UPLOAD + 16 * 1024, withinSeconds: 60, maximumFields: 24 } as const;
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
