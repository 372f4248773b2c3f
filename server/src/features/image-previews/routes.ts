import * as endpoints from '@heddle/api/endpoints/image-previews.ts';
import { notFound } from '@heddle/api/errors.ts';
import { ExternalImages } from '../../domain/texts/external-images/images.ts';
import { signedImage } from '../../domain/texts/external-images/signing.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { file } from '../../http/answers/answers.ts';

const CACHE_CONTROL = 'private, max-age=86400';

export function imagePreviewRoutes(app: AppContext): readonly HeddleRoute[] {
  const { config, secret } = app;
  return [
    route(endpoints.getExternalImage, { limit: 'files' }, async ({ parameters, organization }) => {
      const { digest, received_url: encoded } = parameters;
      const signed = config.imagePreviews ? signedImage(secret, organization.id, digest, encoded) : undefined;
      if (signed === undefined) throw notFound('Image not found.');
      const image = await ExternalImages.of(app)[signed.kind].get(organization.id, signed.url);
      return file(image, { disposition: 'inline', cacheControl: CACHE_CONTROL });
    }),
  ];
}
