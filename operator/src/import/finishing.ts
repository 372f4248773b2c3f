/** The last step of an import: it makes the organization reachable. */

import { violatesUnique } from '@heddle/server/db/failures.ts';
import type { DbTransaction } from '@heddle/server/db/schema.ts';
import { BACKUP_TIMEOUTS } from '@heddle/server/db/timeouts.ts';
import { inTransaction, type OpenTransaction } from '@heddle/server/db/transaction.ts';
import type { Directory } from '@heddle/server/directory/directory.ts';
import { LINK_PREVIEWS } from '@heddle/server/domain/organizations/organizations/link-previews.ts';
import { drawThumbnails } from '@heddle/server/domain/uploads/job-kinds.ts';
import { OUTGOING_WEBHOOKS } from '@heddle/server/domain/users/bots/outgoing-webhooks.ts';
import type pg from 'pg';
import { MAX_IMPORTED_ID } from './limits.ts';
import { ImportError, type ImportSource } from './source.ts';

export interface Finishing {
  /** For statements that need their own transactions. */
  readonly client: pg.Client;
  readonly pool: pg.Pool;
  readonly organizationId: number;
  readonly subdomain: string;
  readonly source: Pick<ImportSource, 'lastEventId' | 'lastMessageId'>;
  /** From the archive: whether and since when the organization is deactivated. */
  readonly deactivatedAt: unknown;
  /** Checks that the server can load the organization. */
  readonly load: (db: DbTransaction) => Promise<Directory>;
  readonly ending?: Ending | undefined;
}

/** Further work in the transaction that makes the organization reachable. */
export interface Ending {
  /** Before the organization is loaded. */
  prepare(db: DbTransaction): Promise<void>;
  /** When everything is checked, just before the organization gets its subdomain. */
  complete(db: DbTransaction, directory: Directory): Promise<void>;
}

/**
 * The sequences pass the imported ids. Nothing in this organization uses them yet, so no id can be given twice. Then one
 * transaction makes the organization reachable. It includes the log: a running server reads every log that it finds.
 */
export async function finishImport(finishing: Finishing): Promise<void> {
  const { client, pool, organizationId } = finishing;
  await advanceSequences(client, organizationId);
  await inTransaction(
    pool,
    async (transaction) => {
      await makeReachable(finishing, transaction);
      return { result: () => undefined };
    },
    BACKUP_TIMEOUTS,
  );
}

/**
 * 1. The organization gets its log. Everything before it counts as deleted by retention: the log has no gap, and a client
 *    that registers gets its state from the tables.
 * 2. The organization is loaded, to check it.
 * 3. It gets the subdomain.
 */
async function makeReachable(finishing: Finishing, { db, client }: OpenTransaction): Promise<void> {
  const { organizationId, source, load, ending } = finishing;
  await client.query(
    `INSERT INTO logs (organization_id, head, directory_head, message_head, trimmed_through) VALUES ($1, $2, $2, $3, $2)`,
    [organizationId, source.lastEventId, source.lastMessageId],
  );
  await client.query(
    `INSERT INTO presence_heads (organization_id, last_update_id)
     SELECT $1, max(update_id) FROM presences WHERE organization_id = $1 HAVING count(*) > 0`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO upload_space (organization_id, bytes)
     SELECT $1, sum(size) FROM attachments WHERE organization_id = $1 HAVING count(*) > 0`,
    [organizationId],
  );
  await forgetPictures(client, organizationId);
  await ending?.prepare(db);
  const directory = await load(db);
  await client.query(
    `INSERT INTO log_cursors (organization_id, consumer, position)
     SELECT $1, $2, $3 FROM users WHERE organization_id = $1 AND bot_settings ? 'service' LIMIT 1`,
    [organizationId, OUTGOING_WEBHOOKS, source.lastEventId],
  );
  await client.query(
    `INSERT INTO log_cursors (organization_id, consumer, position)
     SELECT id, $2, $3 FROM organizations WHERE id = $1 AND settings @> '{"inline_url_embed_preview": true}'`,
    [organizationId, LINK_PREVIEWS, source.lastEventId],
  );
  await client.query(
    `INSERT INTO jobs (organization_id, kind, payload, due_at)
     SELECT $1, $2, jsonb_build_object('attachmentId', id), now() FROM attachments
      WHERE organization_id = $1 AND picture IS NOT NULL`,
    [organizationId, drawThumbnails.name],
  );
  // No event announces its messages to the job that indexes words.
  await client.query(
    'INSERT INTO indexed_messages (organization_id, through, old_words_through) VALUES ($1, 0, -1) ON CONFLICT DO NOTHING',
    [organizationId],
  );
  await linkScheduledFiles(client, organizationId);
  await ending?.complete(db, directory);
  await checkOwner(client, organizationId);
  await takeSubdomain(finishing, client);
  await client.query('DELETE FROM imports WHERE organization_id = $1', [organizationId]);
}

async function takeSubdomain(
  { organizationId, subdomain, deactivatedAt }: Finishing,
  client: pg.PoolClient,
): Promise<void> {
  try {
    await client.query('UPDATE organizations SET subdomain = $2, deactivated_at = $3 WHERE id = $1', [
      organizationId,
      subdomain,
      deactivatedAt ?? null,
    ]);
  } catch (error) {
    if (!violatesUnique(error, 'organizations_subdomain_key')) throw error;
    throw new ImportError(`Somebody has created an organization at '${subdomain}' during the import.`);
  }
}

/** `ALTER SEQUENCE` locks the sequence: no other process takes an id between reading and setting its value. */
async function advanceSequences(client: pg.Client, organizationId: number): Promise<void> {
  const { rows: identities } = await client.query<{ table: string; column: string; sequence: string }>(`
    SELECT relname AS "table", attname AS "column", pg_get_serial_sequence(relname, attname) AS sequence
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attidentity <> ''
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
       AND EXISTS (SELECT FROM pg_attribute own WHERE own.attrelid = pg_class.oid AND own.attname = 'organization_id')`);
  const recipients = ['channels', 'direct_conversations'].map((table) => ({
    table,
    column: 'recipient_id',
    sequence: 'recipient_ids',
  }));
  for (const { table, column, sequence } of [...identities, ...recipients]) {
    await client.query('BEGIN');
    await client.query(`ALTER SEQUENCE ${sequence} NO CYCLE`);
    await client.query(
      `SELECT setval('${sequence}', last) FROM (SELECT max("${column}") AS last FROM "${table}" WHERE organization_id = $1) AS imported
        WHERE last > (SELECT last_value FROM ${sequence}) AND last <= ${MAX_IMPORTED_ID}`,
      [organizationId],
    );
    await client.query('COMMIT');
  }
}

/** Pictures that were left out, because they were none. */
async function forgetPictures(client: pg.PoolClient, organizationId: number): Promise<void> {
  await client.query(
    `UPDATE users u SET avatar_file = NULL WHERE organization_id = $1 AND avatar_file IS NOT NULL
        AND NOT EXISTS (SELECT FROM avatar_pictures p WHERE p.organization_id = $1 AND p.user_id = u.id)`,
    [organizationId],
  );
  await client.query(
    `UPDATE custom_emoji e SET is_deactivated = true WHERE organization_id = $1
        AND NOT EXISTS (SELECT FROM custom_emoji_pictures p WHERE p.organization_id = $1 AND p.emoji_id = e.id)`,
    [organizationId],
  );
}

async function checkOwner(client: pg.PoolClient, organizationId: number): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT FROM users WHERE organization_id = $1 AND role = 100 AND is_active AND NOT is_bot LIMIT 1',
    [organizationId],
  );
  if (rowCount === 0)
    throw new ImportError('The archive has no active owner, so nobody could administer the organization.');
}

/** An export does not have these links, because they follow from the texts. */
async function linkScheduledFiles(client: pg.PoolClient, organizationId: number): Promise<void> {
  await client.query(
    `INSERT INTO attachment_scheduled_messages (organization_id, attachment_id, user_id, scheduled_message_id)
     SELECT DISTINCT $1::integer, a.id, s.user_id, s.id
       FROM scheduled_messages s
       CROSS JOIN LATERAL regexp_matches(s.content, 'user_uploads/(\\d+/[^\\s()<>"]+)', 'g') AS named
       JOIN attachments a ON a.organization_id = $1 AND a.path_id = named[1] AND a.owner_id = s.user_id
      WHERE s.organization_id = $1 AND s.content LIKE '%user_uploads/%'
     ON CONFLICT DO NOTHING`,
    [organizationId],
  );
}
