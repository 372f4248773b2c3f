import * as endpoints from '@heddle/api/endpoints/resumable-uploads.ts';
import { fileTooLarge } from '@heddle/api/errors.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { EXTENSIONS, TUS_VERSION } from './protocol.ts';
import { ResumableUploads } from './tus.ts';

const MIB_BYTES = 1024 * 1024;
/** The time of one request, in seconds. What has arrived by then is kept. */
const WITHIN_SECONDS = 30 * 60;

export function resumableUploadRoutes(app: AppContext): readonly HeddleRoute[] {
  const uploads = new ResumableUploads(app);
  const { maxFileUploadSizeMib, maxImportSizeMib } = app.config;
  const body = {
    // One request can have all of an upload. The library refuses more than its size.
    maximumBytes: Math.max(maxFileUploadSizeMib, maxImportSizeMib) * MIB_BYTES,
    withinSeconds: WITHIN_SECONDS,
    tooLarge: () => fileTooLarge(maxFileUploadSizeMib),
  };
  const capabilities = {
    'tus-resumable': TUS_VERSION,
    'tus-version': TUS_VERSION,
    'tus-extension': EXTENSIONS.join(','),
    'tus-max-size': String(maxFileUploadSizeMib * MIB_BYTES),
    'access-control-expose-headers': 'Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size',
  };
  return [
    route(endpoints.createResumableUpload, { body, capabilities }, ({ body: request, organization, caller }) =>
      uploads.answer({ organization, caller }, undefined, request),
    ),
    route(
      endpoints.createResumableUploadInDirectory,
      { body, capabilities },
      ({ body: request, organization, caller }) => uploads.answer({ organization, caller }, undefined, request),
    ),
    route(endpoints.getResumableUpload, { body, capabilities }, ({ body: request, parameters, organization, caller }) =>
      uploads.answer({ organization, caller }, parameters.upload_id, request),
    ),
    route(endpoints.continueResumableUpload, { body }, ({ body: request, parameters, organization, caller }) =>
      uploads.answer({ organization, caller }, parameters.upload_id, request),
    ),
    route(endpoints.abandonResumableUpload, { body }, ({ body: request, parameters, organization, caller }) =>
      uploads.answer({ organization, caller }, parameters.upload_id, request),
    ),
  ];
}
