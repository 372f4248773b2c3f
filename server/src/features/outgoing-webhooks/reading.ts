/**
 * Reads the log for messages to outgoing webhook bots. Sends do nothing for that. The position of the reader is a row per organization, and
 * it moves in the transaction that writes the results. So a killed process loses nothing, and two processes never find the same message.
 */
import { sql } from 'kysely';
import type { DbTransaction } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Organization } from '../../directory/organization.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { readEventsOfTypes } from '../../log/read.ts';
import { servedBots, triggersIn } from './triggers.ts';
import { addRequests } from './waiting.ts';

/** Messages of one organization per transaction. */
const PAGE = 200;
/** Organizations per look. */
const AT_ONCE = 20;

type ReadingContext = Pick<AppContext, 'db' | 'pool' | 'organizations' | 'log'>;

export interface Found {
  /** Whether there is more to read. */
  readonly hasMore: boolean;
  /** Whether there are new requests. */
  readonly hasFound: boolean;
}

const NOTHING: Found = { hasMore: false, hasFound: false };

/**
 * Reads on in organizations whose logs have grown: only those that ever had such a bot.
 * @param opened is called with each organization that is read here
 */
export async function readLogs(app: ReadingContext, opened: (organization: Organization) => void): Promise<Found> {
  const { rows } = await sql<{ id: number }>`
    SELECT cursor.organization_id AS id
      FROM outgoing_cursors cursor
      JOIN logs ON logs.organization_id = cursor.organization_id
      JOIN organizations ON organizations.id = cursor.organization_id AND organizations.deactivated_at IS NULL
     WHERE logs.head > cursor.read_through
     ORDER BY random() LIMIT ${AT_ONCE}`.execute(app.db);
  const found: Found[] = [];
  for (const { id } of rows) {
    const organization = await app.organizations.byId(id);
    if (organization === undefined) continue;
    opened(organization);
    found.push(await readLog(app, organization));
  }
  return {
    hasMore: rows.length === AT_ONCE || found.some(({ hasMore }) => hasMore),
    hasFound: found.some(({ hasFound }) => hasFound),
  };
}

async function readLog({ pool, log }: ReadingContext, organization: Organization): Promise<Found> {
  await organization.catchUp();
  // Up to this position all bots are known.
  const known = organization.position;
  return inTransaction(pool, async ({ db }) => {
    const { found, dropped, missed } = await readPage(db, organization, known);
    const facts = { organization: organization.id };
    if (dropped > 0) log.warn({ ...facts, dropped }, 'outgoing webhooks were dropped: too many wait for one bot');
    if (missed) log.warn(facts, 'outgoing webhooks were dropped: the log has been trimmed');
    return { result: () => found };
  });
}

async function readPage(db: DbTransaction, { id: organizationId, directory }: Organization, known: number) {
  const { rows } = await sql<{ read_through: number; trimmed_through: number }>`
    SELECT cursor.read_through, logs.trimmed_through
      FROM outgoing_cursors cursor JOIN logs ON logs.organization_id = cursor.organization_id
     WHERE cursor.organization_id = ${organizationId}
       FOR UPDATE OF cursor SKIP LOCKED`.execute(db);
  const [cursor] = rows;
  if (cursor === undefined || known <= cursor.read_through) return { found: NOTHING, dropped: 0, missed: false };
  const hasBots = servedBots(directory).size > 0;
  const range = { after: cursor.read_through, through: known, limit: PAGE };
  const page = hasBots ? await readEventsOfTypes(db, organizationId, ['message'], range) : [];
  const isFull = page.length === PAGE;
  const through = isFull ? (page.at(-1)?.id ?? known) : known;
  const triggered = page.flatMap((event) => triggersIn(event, directory));
  const dropped = triggered.length === 0 ? 0 : await addRequests(db, organizationId, triggered);
  await sql`UPDATE outgoing_cursors SET read_through = ${through} WHERE organization_id = ${organizationId}`.execute(
    db,
  );
  return {
    found: { hasMore: isFull, hasFound: triggered.length > 0 },
    dropped,
    missed: hasBots && cursor.trimmed_through > cursor.read_through,
  };
}
