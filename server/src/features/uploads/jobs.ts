import { sql } from 'kysely';
import { type Job, job } from '../../jobs/kind.ts';
import { collectLeftovers } from '../../storage/leftovers.ts';
import type { Rooms } from '../rooms.ts';
import { collectFiles, deleteUnlinkedFiles, drawThumbnails } from './job-kinds.ts';
import { drawThumbnailsOf } from './thumbnails.ts';
import { deleteUnlinked } from './unlinked.ts';

export function uploadJobs(rooms: Rooms): readonly Job[] {
  return [
    job(drawThumbnails, async ({ organizationId, payload }) => {
      if (organizationId !== null) await drawThumbnailsOf(rooms, organizationId, payload.attachmentId);
    }),
    job(collectFiles, async ({ db, signal }) => {
      while (!signal.aborted && (await collectLeftovers(db, rooms.storage)));
    }),
    job(deleteUnlinkedFiles, async ({ db, signal }) => {
      const { rows } = await sql<{ at: Date }>`SELECT now() AS at`.execute(db);
      const [now] = rows;
      if (now !== undefined) await deleteUnlinked(rooms, { at: now.at, signal });
    }),
  ];
}
