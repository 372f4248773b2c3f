/**
 * Access rows for uploaded files. Requests of the resumable protocol are sent without its headers, so permitted callers
 * get the error for that.
 */
import * as previews from '@heddle/api/endpoints/image-previews.ts';
import * as resumable from '@heddle/api/endpoints/resumable-uploads.ts';
import * as uploads from '@heddle/api/endpoints/uploads.ts';
import type { Fields, TestClient } from '../clients/client.ts';
import { upload } from '../clients/user-files.ts';
import { type AccessRow, row } from './access-row.ts';
import { movingPicture, type Scene } from './access-scene.ts';

const aFile = async () => Buffer.from('a file');
const upload_id = '0'.repeat(32);

export const OF_FILES: readonly AccessRow[] = [
  row(uploads.uploadFile, 'always', '++++++ uuxu', () => ({}), aFile),
  row(uploads.getFile, 'an own one', '++++++ uuxu', (scene) => fileOf(scene, scene.self)),
  row(uploads.getFile, "somebody else's", 'ffffff uuxu', (scene) => fileOf(scene, scene.colleague)),
  row(uploads.getFile, "somebody else's, in a message that they have", '++++++ uuxu', (scene) =>
    linked(scene, scene.standing.common),
  ),
  row(uploads.getFile, 'in a channel that spectators see', '++++++ u+xu', (scene) =>
    linked(scene, scene.standing.shown),
  ),
  row(uploads.getFile, 'in a private channel of others', 'ffffff uuxu', (scene) =>
    linked(scene, scene.standing.closed),
  ),
  row(uploads.downloadFile, 'in a channel that spectators see', '++++++ u+xu', (scene) =>
    linked(scene, scene.standing.shown),
  ),
  row(uploads.downloadFile, "somebody else's", 'ffffff uuxu', (scene) => fileOf(scene, scene.colleague)),
  row(uploads.getFileTemporaryUrl, 'in a channel that spectators see', '++++++ u+xu', (scene) =>
    linked(scene, scene.standing.shown),
  ),
  row(uploads.getFileTemporaryUrl, "somebody else's", 'ffffff uuxu', (scene) => fileOf(scene, scene.colleague)),
  row(uploads.getTemporaryFile, 'with an address that somebody asked for', '++++++ ++++', async (scene) => {
    const { realm_id_str, filename } = await fileOf(scene, scene.colleague);
    const { url } = await scene.colleague.ok('GET', `/user_uploads/${realm_id_str}/${filename}`);
    const [, , , token, name] = url.split('/');
    return { token, filename: name };
  }),
  row(uploads.getThumbnail, 'a format that there is not', 'ffffff uuxu', async (scene) => {
    const { realm_id_str, filename } = await linked(scene, scene.standing.common);
    return { realm_id_str, filename: `${filename}/1x1.webp` };
  }),
  row(uploads.getThumbnailStatus, 'in a channel that spectators see', '++++++ u+xu', (scene) =>
    linked(scene, scene.standing.shown),
  ),
  row(uploads.getLoadingPicture, 'always', '++++++ ++++'),
  row(previews.getExternalImage, 'an address without our signature', 'ffffff ffff', () => ({
    digest: '0'.repeat(64),
    received_url: '00',
  })),
  row(uploads.getAttachments, 'always', '++++++ uuxu'),
  row(uploads.removeAttachment, 'an own one', '++++++ uuxu', (scene) => attachmentOf(scene, scene.self)),
  row(uploads.removeAttachment, "somebody else's", 'bbbbbb uuxu', (scene) => attachmentOf(scene, scene.colleague)),
  row(resumable.createResumableUpload, 'always', 'tttttt uuxu'),
  row(resumable.createResumableUploadInDirectory, 'always', 'tttttt uuxu'),
  row(resumable.continueResumableUpload, 'always', 'tttttt uuxu', () => ({ upload_id })),
  row(resumable.abandonResumableUpload, 'always', 'tttttt uuxu', () => ({ upload_id })),
  row(resumable.getResumableUpload, 'always', 'tttttt hhhh', () => ({ upload_id })),
];

/** A file that this user has uploaded. */
async function fileOf(scene: Scene, user: TestClient): Promise<{ realm_id_str: number; filename: string }> {
  const path = await upload(scene.url, user, await movingPicture(), { name: 'x.gif', type: 'image/gif' });
  const [, , realm_id_str, ...rest] = path.split('/');
  return { realm_id_str: Number(realm_id_str), filename: rest.join('/') };
}

/** A file of the colleague, linked in a message in this channel. */
async function linked(scene: Scene, channel: number): Promise<{ realm_id_str: number; filename: string }> {
  const file = await fileOf(scene, scene.colleague);
  await scene.colleague.send(channel, 'files', `[x](/user_uploads/${file.realm_id_str}/${file.filename})`);
  return file;
}

async function attachmentOf(scene: Scene, user: TestClient): Promise<Fields> {
  await fileOf(scene, user);
  const { attachments } = await user.ok('GET', '/attachments');
  return { attachment_id: attachments[0].id };
}
