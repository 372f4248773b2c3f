import type { OrganizationPicture } from '../../../directory/records.ts';
import { decoded } from '../../../pictures/decoding.ts';

/** Largest sizes in pixels. Icons are square; logos keep their aspect ratio. */
const ICON_SIZE_PIXELS = 100;
const LOGO = { width: 800, height: 100 };

/**
 * A picture of the organization as PNG, without animation.
 * @throws ApiError `BAD_IMAGE`: the content is no picture, or too large
 */
export function drawOrganizationPicture(content: Buffer, kind: OrganizationPicture): Promise<Buffer> {
  return decoded(content, async (decodable) => {
    const still = decodable.still();
    const drawn =
      kind === 'icon'
        ? still.resize(ICON_SIZE_PIXELS, ICON_SIZE_PIXELS, { fit: 'cover' })
        : still.resize(LOGO.width, LOGO.height, { fit: 'inside', withoutEnlargement: true });
    return drawn.png().toBuffer();
  });
}
