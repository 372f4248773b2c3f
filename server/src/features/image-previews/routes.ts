import * as endpoints from '@heddle/api/endpoints/image-previews.ts';
import { notFound } from '@heddle/api/errors.ts';
import { signedUrl } from '../../domain/external-images/signing.ts';
import { type HeddleRoute, type Rooms, route } from '../../extension/rooms.ts';
import { file } from '../../http/answers.ts';
import { ExternalImages } from './images.ts';

const CACHE_CONTROL = 'private, max-age=86400';

export function imagePreviewRoutes(rooms: Rooms): readonly HeddleRoute[] {
  const { config, secret } = rooms;
  return [
    route(endpoints.getExternalImage, { limit: 'files' }, async ({ parameters, organization }) => {
      const { digest, received_url: encoded } = parameters;
      const url = config.imagePreviews ? signedUrl(secret, organization.id, digest, encoded) : undefined;
      if (url === undefined) throw notFound('Image not found.');
      const image = await ExternalImages.of(rooms).get(organization.id, url);
      return file(image, { disposition: 'inline', cacheControl: CACHE_CONTROL });
    }),
  ];
}
