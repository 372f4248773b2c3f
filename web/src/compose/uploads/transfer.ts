/** The transfer of files. It loads with the first file. */
import { UnexpectedAnswerError } from '@heddle/client/calls/errors.ts';
import { discardUpload, UploadError, uploadFile } from '@heddle/client/calls/uploads.ts';
import { t } from '../../base/i18n.ts';
import { formatBytes } from '../../base/i18n-formats.ts';
import { asPageWork } from '../../base/page-work.ts';
import { problemText, serverText } from '../../shown/problem-text.ts';
import { scaledPicture } from './scaled-picture.ts';

export { discardUpload };

/** The same as in the client. Meanwhile the page does not load itself again. */
export const upload: typeof uploadFile = (...parameters) => asPageWork(() => uploadFile(...parameters));

interface Failure {
  readonly problem: string;
  /** Whether another attempt makes sense. */
  readonly canRetry: boolean;
}

export function tooLarge(maxBytes: number): Failure {
  const problem = t('The file is too large. The limit is {limit}.', { limit: formatBytes(maxBytes) });
  return { problem, canRetry: false };
}

export function failureOf(error: unknown): Failure {
  if (error instanceof UploadError && error.reason === 'too-large' && error.maxSize !== undefined) {
    return tooLarge(error.maxSize);
  }
  if (error instanceof UploadError && error.reason === 'quota') {
    return { problem: t('Your organization has no space left for files.'), canRetry: false };
  }
  // A proxy before the server refuses it, and does not say what it allows.
  if (error instanceof UnexpectedAnswerError && error.status === 413) {
    return { problem: t('The file is too large for the server.'), canRetry: false };
  }
  return {
    problem: error instanceof UploadError ? serverText(undefined, error.message) : problemText(error),
    canRetry: true,
  };
}

/** The same picture with fewer pixels, or the original if that does not help. */
export async function scaled(original: File): Promise<File> {
  try {
    return (await asPageWork(() => scaledPicture(original))) ?? original;
  } catch {
    // A picture that the browser cannot read is uploaded as it is.
    return original;
  }
}
