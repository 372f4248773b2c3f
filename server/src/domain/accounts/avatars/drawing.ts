import { decoded, pictureLibrary } from '../../../pictures/decoding.ts';

/** A picture as PNG, in the two sizes that clients request. It has no animation. */
export interface AvatarPictures {
  readonly picture: Buffer;
  readonly medium: Buffer;
}

/** Width and height in pixels. */
const SMALL_AVATAR_PIXELS = 100;
const MEDIUM_AVATAR_PIXELS = 500;
/** The largest file in bytes. A larger picture gets fewer colours. */
const MAX_AVATAR_BYTES = 400 * 1024;

/** @throws ApiError `BAD_IMAGE`: the content is no picture, or too large */
export function drawAvatar(content: Buffer): Promise<AvatarPictures> {
  return decoded(content, async (decodable) => {
    const whole = await decodable
      .still()
      .resize(MEDIUM_AVATAR_PIXELS, MEDIUM_AVATAR_PIXELS, { fit: 'cover' })
      .png()
      .toBuffer();
    const sharp = await pictureLibrary();
    const medium = whole.length <= MAX_AVATAR_BYTES ? whole : await sharp(whole).png({ palette: true }).toBuffer();
    return { picture: await sharp(whole).resize(SMALL_AVATAR_PIXELS, SMALL_AVATAR_PIXELS).png().toBuffer(), medium };
  });
}
