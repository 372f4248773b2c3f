import type { Config } from '../../config.ts';

/** What the operator has disabled that GIFs need: the server fetches their pictures, and a chosen GIF becomes an uploaded file. */
export function disabledPart(config: Pick<Config, 'imagePreviews' | 'maxFileUploadSizeMib'>): string | undefined {
  if (!config.imagePreviews) return 'pictures of other servers';
  return config.maxFileUploadSizeMib === 0 ? 'uploads' : undefined;
}
