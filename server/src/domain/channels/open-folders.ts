import { badRequest } from '@heddle/api/errors.ts';
import type { channelFolder } from '@heddle/api/objects/channel-folder.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { NumberInSql } from '../../db/parameters.ts';
import type { DbTransaction, Row } from '../../db/schema.ts';

export type ChannelFolder = Static<typeof channelFolder>;

export type FolderRow = Row<'channel_folders'>;

/** The organization's folders as API objects, in their order. Their number is bounded. Index: the primary key. */
export function selectFolders(organizationId: NumberInSql, withArchived: boolean): RawBuilder<ChannelFolder[]> {
  return sql`
    SELECT coalesce(json_agg(folder), '[]') FROM (
      SELECT id, name, description, rendered_description, creator_id,
             floor(extract(epoch FROM created_at))::bigint AS date_created, is_archived, position AS "order"
        FROM channel_folders
       WHERE organization_id = ${organizationId} ${withArchived ? sql`` : sql`AND NOT is_archived`}
       ORDER BY position, id
    ) AS folder`;
}

export function toFolder(row: FolderRow): ChannelFolder {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    rendered_description: row.rendered_description,
    creator_id: row.creator_id,
    date_created: Math.floor(row.created_at.getTime() / 1000),
    is_archived: row.is_archived,
    order: row.position,
  };
}

/** @throws ApiError `BAD_REQUEST`: the folder does not exist */
export async function findFolder(db: DbTransaction, organizationId: number, id: number): Promise<FolderRow> {
  const row = await db
    .selectFrom('channel_folders')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw badRequest('Invalid channel folder ID');
  return row;
}

/**
 * Returns a folder that can take channels. Folders change only in exclusive transactions. So in one, the folder stays
 * open until the commit.
 * @throws ApiError `BAD_REQUEST`: the folder does not exist or is archived
 */
export async function findOpenFolder(db: DbTransaction, organizationId: number, id: number): Promise<FolderRow> {
  const row = await findFolder(db, organizationId, id);
  if (row.is_archived) throw badRequest('Channel folder is archived.');
  return row;
}
