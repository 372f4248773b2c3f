/** Draws thumbnails of an uploaded picture, and adds them to messages that were sent before. */
import { Readable } from 'node:stream';
import { ApiError } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { Organization } from '../../../directory/organization.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { showPicture, withoutPicture } from '../../../markup/index.ts';
import { dropKeys, expectKeys, keepKeys } from '../../../storage/leftovers.ts';
import { newKey } from '../../../storage/storage.ts';
import { drawPicture } from '../../uploads/drawing.ts';
import { markupPicture, type StoredPicture, type StoredThumbnail } from '../../uploads/picture.ts';
import { fileById, type StoredFile } from '../../uploads/queries.ts';
import { rerenderMessages } from './rerendering.ts';

/** Messages that get the picture in one commit. */
const BATCH_SIZE_MESSAGES = 50;

type DrawingContext = Pick<AppContext, 'db' | 'storage' | 'organizations' | 'log'>;

/** Can run again at any time: existing thumbnails stay. */
export async function drawThumbnailsOf(app: DrawingContext, organizationId: number, id: number): Promise<void> {
  const organization = await app.organizations.byId(organizationId);
  const file = await fileById(app.db, organizationId, id);
  if (organization === undefined || file === undefined || file.picture === null) return;
  const picture = file.picture.thumbnails === null ? await draw(app, organization, file, file.picture) : file.picture;
  if (picture === 'gone') return;
  await showInMessages(app, organization, file, picture);
}

async function draw(
  { db, storage, log }: DrawingContext,
  organization: Organization,
  file: StoredFile,
  picture: StoredPicture,
): Promise<StoredPicture | null | 'gone'> {
  const thumbnails: StoredThumbnail[] = [];
  let drawn: StoredPicture | null;
  try {
    await drawPicture(storage, file, picture, async ({ name: format }, bytes) => {
      const key = newKey();
      await expectKeys(db, [key]);
      await storage.put(key, Readable.from([bytes], { objectMode: false }));
      thumbnails.push({ format, key, size: bytes.length });
    });
    drawn = { ...picture, thumbnails };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'BAD_IMAGE') throw error;
    log.info({ organization: organization.id, attachment: file.id }, 'an uploaded picture cannot be drawn');
    drawn = null;
  }
  const keys = thumbnails.map(({ key }) => key);
  const isThere = await organization.transact('server', 'optimistic', async (change) => {
    const { rows } = await sql`
      UPDATE attachments SET picture = ${drawn === null ? null : JSON.stringify(drawn)}::jsonb
       WHERE organization_id = ${organization.id} AND id = ${file.id} AND picture->>'thumbnails' IS NULL
      RETURNING id`.execute(change.db);
    if (rows.length === 1 && drawn !== null) await keepKeys(change.db, keys);
    else await dropKeys(change.db, keys);
    return rows.length === 1;
  });
  // The file was deleted meanwhile, or another process has drawn it.
  return isThere ? drawn : 'gone';
}

/**
 * Messages that link to the file from now on contain the thumbnail already. So these are all messages that may lack it.
 */
async function showInMessages(
  { db }: DrawingContext,
  organization: Organization,
  { id, pathId, contentType }: StoredFile,
  picture: StoredPicture | null,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT message_id AS id FROM attachment_messages
     WHERE organization_id = ${organization.id} AND attachment_id = ${id} ORDER BY message_id`.execute(db);
  const shown = picture === null ? null : markupPicture(pathId, contentType, picture);
  const rewrite = (html: string): string =>
    shown === null ? withoutPicture(html, pathId) : showPicture(html, pathId, shown);
  for (let begin = 0; begin < rows.length; begin += BATCH_SIZE_MESSAGES) {
    const ids = rows.slice(begin, begin + BATCH_SIZE_MESSAGES).map((row) => row.id);
    await organization.transact('server', 'optimistic', (change) => rerenderMessages(change, ids, rewrite));
  }
}
