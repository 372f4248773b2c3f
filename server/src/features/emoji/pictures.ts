import type { Sharp } from 'sharp';
import { type Decodable, decoded, pictureTooLarge } from '../../pictures/decoding.ts';

/** What is kept of an emoji. */
export interface EmojiPictures {
  readonly extension: 'png' | 'gif' | 'webp';
  readonly picture: Buffer;
  /** As PNG; null where the picture does not move. */
  readonly still: Buffer | null;
}

/** Pixels each way. */
const SIZE = 64;
/** Bytes of the picture that is kept. */
const LARGEST = 256 * 1024;

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/**
 * @throws ApiError `BAD_IMAGE`: it is no picture, or too large a one
 */
export function readPictures(content: Buffer): Promise<EmojiPictures> {
  return decoded(content, async (decodable) => {
    const format = formatOfMoving(decodable);
    return format === undefined ? drawn(decodable) : animated(decodable, format);
  });
}

/** The format that a picture which moves is kept in; undefined for one that does not. */
function formatOfMoving({ metadata: { pages = 1, format } }: Decodable): 'gif' | 'webp' | undefined {
  return pages > 1 && (format === 'gif' || format === 'webp') ? format : undefined;
}

async function drawn(decodable: Decodable): Promise<EmojiPictures> {
  const picture = await decodable.still().resize(SIZE, SIZE, { fit: 'cover' }).png().toBuffer();
  return { extension: 'png', picture, still: null };
}

async function animated(decodable: Decodable, format: 'gif' | 'webp'): Promise<EmojiPictures> {
  const fitted = (picture: Sharp) => picture.resize(SIZE, SIZE, { fit: 'contain', background: CLEAR });
  const [picture, still] = await Promise.all([
    fitted(decodable.moving())[format]().toBuffer(),
    fitted(decodable.still()).png().toBuffer(),
  ]);
  if (picture.length > LARGEST) throw pictureTooLarge();
  return { extension: format, picture, still };
}
