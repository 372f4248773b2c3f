import * as endpoints from '@heddle/api/endpoints/uploads.ts';
import { fileTooLarge, notFound } from '@heddle/api/errors.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { file } from '../../http/answers/answers.ts';
import { fileInMemory } from '../../http/answers/file-sources.ts';
import { serializedList } from '../../http/answers/serialized-list.ts';
import { deleteAttachment } from './attachments.ts';
import { fileUrl, presentAttachment } from './present.ts';
import { attachmentsOf, spaceUsed } from './queries.ts';
import { answerWith, answerWithThumbnail, openFor, openTemporary } from './serving.ts';
import { temporaryToken } from './temporary-addresses.ts';
import { Uploads } from './uploading.ts';

const MIB_BYTES = 1024 * 1024;
/** The placeholder of a thumbnail: three blinking dots. */
const LOADING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20" width="60" height="20" fill="#000">${[
  10, 30, 50,
]
  .map(
    (x, place) =>
      `<circle cx="${x}" cy="10" r="6" opacity=".2"><animate attributeName="opacity" values=".2;1;.2" dur="1.2s" begin="${place * 0.2}s" repeatCount="indefinite"/></circle>`,
  )
  .join('')}</svg>`;

/** Bytes that a form can have besides its file. */
const FORM_OVERHEAD_BYTES = 64 * 1024;
/** Enough for the largest file at about 60 KB per second. */
const WITHIN_SECONDS = 30 * 60;

export function uploadRoutes(app: AppContext): readonly HeddleRoute[] {
  const { config, db, storage, secret } = app;
  const uploads = Uploads.of(app);
  const loadingPicture = fileInMemory(LOADING, 'image/svg+xml');
  const limits = {
    maximumBytes: config.maxFileUploadSizeMib * MIB_BYTES + FORM_OVERHEAD_BYTES,
    withinSeconds: WITHIN_SECONDS,
    maximumFields: 8,
    tooLarge: () => fileTooLarge(config.maxFileUploadSizeMib),
  };
  return [
    route(endpoints.uploadFile, { body: limits }, async ({ body, organization, caller }) => {
      const { pathId, name } = await uploads.take(organization, caller, body);
      return { url: fileUrl(pathId), uri: fileUrl(pathId), filename: name };
    }),

    route(endpoints.getFile, { limit: 'files' }, async ({ parameters, organization, caller }) =>
      answerWith(storage, await openFor(organization, caller, named(parameters)), 'shown'),
    ),

    route(endpoints.downloadFile, { limit: 'files' }, async ({ parameters, organization, caller }) =>
      answerWith(storage, await openFor(organization, caller, named(parameters)), 'saved'),
    ),

    route(endpoints.getFileTemporaryUrl, { limit: 'files' }, async ({ parameters, organization, caller }) => {
      const { id, pathId } = await openFor(organization, caller, named(parameters));
      const token = temporaryToken(secret, { organizationId: organization.id, attachmentId: id }, Date.now());
      return { url: `/user_uploads/temporary/${token}/${encodeURIComponent(pathId.split('/').at(-1) ?? '')}` };
    }),

    route(endpoints.getTemporaryFile, { limit: 'files' }, async ({ parameters, organization }) =>
      answerWith(storage, await openTemporary(app, organization, parameters), 'shown'),
    ),

    route(endpoints.getThumbnail, { limit: 'files' }, async ({ parameters, organization, caller }) => {
      const { organizationId, rest } = named(parameters);
      const format = rest.split('/').at(-1) ?? '';
      const stored = await openFor(organization, caller, { organizationId, rest: rest.slice(0, -format.length - 1) });
      const thumbnail = stored.picture?.thumbnails?.find((one) => one.format === format);
      if (thumbnail === undefined) throw notFound('File not found.');
      return answerWithThumbnail(storage, stored, thumbnail);
    }),

    route(endpoints.getThumbnailStatus, { limit: 'files' }, async ({ parameters, organization, caller }) => {
      const { picture } = await openFor(organization, caller, named(parameters));
      return { has_thumbnail: picture !== null && picture.thumbnails !== null };
    }),

    route(endpoints.getLoadingPicture, { limit: 'none', organization: 'optional' }, () =>
      file(loadingPicture, { disposition: 'inline', cacheControl: 'public, max-age=86400' }),
    ),

    route(endpoints.getAttachments, {}, async ({ organization, caller }) => ({
      attachments: await serializedList(await attachmentsOf(db, organization.id, caller.id), presentAttachment),
      upload_space_used: await spaceUsed(db, organization.id),
    })),

    route(endpoints.removeAttachment, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'optimistic', (change, user) =>
        deleteAttachment(change, user, parameters.attachment_id),
      );
      return {};
    }),
  ];
}

function named(parameters: { readonly realm_id_str: number; readonly filename: string }) {
  return { organizationId: parameters.realm_id_str, rest: parameters.filename };
}
