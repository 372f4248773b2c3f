import type { Sharp } from 'sharp';
import { type Decodable, decoded, pictureTooLarge } from '../../../pictures/decoding.ts';

/** The stored pictures of an emoji. */
export interface EmojiPictures {
  readonly extension: 'png' | 'gif' | 'webp';
  readonly picture: Buffer;
  /** As PNG; null if the picture is not animated. */
  readonly still: Buffer | null;
}

/** Width and height in pixels. */
const EMOJI_SIZE_PIXELS = 64;
/** The most bytes of an animated picture. */
const MAX_ANIMATION_BYTES = 256 * 1024;

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };

/** @throws ApiError `BAD_IMAGE`: not an image, or too large */
export function readPictures(content: Buffer): Promise<EmojiPictures> {
  return decoded(content, async (decodable) => {
    const format = formatOfMoving(decodable);
    return format === undefined ? drawn(decodable) : animated(decodable, format);
  });
}

/** The stored format of an animated picture; undefined for others. */
function formatOfMoving({ metadata: { pages = 1, format } }: Decodable): 'gif' | 'webp' | undefined {
  return pages > 1 && (format === 'gif' || format === 'webp') ? format : undefined;
}

async function drawn(decodable: Decodable): Promise<EmojiPictures> {
  const picture = await decodable
    .still()
    .resize(EMOJI_SIZE_PIXELS, EMOJI_SIZE_PIXELS, { fit: 'cover' })
    .png()
    .toBuffer();
  return { extension: 'png', picture, still: null };
}

async function animated(decodable: Decodable, format: 'gif' | 'webp'): Promise<EmojiPictures> {
  const fitted = (picture: Sharp) =>
    picture.resize(EMOJI_SIZE_PIXELS, EMOJI_SIZE_PIXELS, { fit: 'contain', background: CLEAR });
  const [picture, still] = await Promise.all([
    fitted(decodable.moving())[format]().toBuffer(),
    fitted(decodable.still()).png().toBuffer(),
  ]);
  if (picture.length > MAX_ANIMATION_BYTES) throw pictureTooLarge();
  return { extension: format, picture, still };
}
