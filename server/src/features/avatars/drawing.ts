import { decoded, pictureLibrary } from '../../pictures/decoding.ts';

/** A picture as PNG, in the two sizes that clients ask for. It does not move. */
export interface AvatarPictures {
  readonly picture: Buffer;
  readonly medium: Buffer;
}

/** Pixels each way. */
const SMALL = 100;
const MEDIUM = 500;
/** Bytes of one: what is larger gets fewer colours. */
const LARGEST = 400 * 1024;

/**
 * @throws ApiError `BAD_IMAGE`: it is no picture, or too large a one
 */
export function drawAvatar(content: Buffer): Promise<AvatarPictures> {
  return decoded(content, async (decodable) => {
    const whole = await decodable.still().resize(MEDIUM, MEDIUM, { fit: 'cover' }).png().toBuffer();
    const sharp = await pictureLibrary();
    const medium = whole.length <= LARGEST ? whole : await sharp(whole).png({ palette: true }).toBuffer();
    return { picture: await sharp(whole).resize(SMALL, SMALL).png().toBuffer(), medium };
  });
}
