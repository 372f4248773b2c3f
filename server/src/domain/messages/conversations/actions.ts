import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, DbTransaction } from '../../../db/schema.ts';
import type { Organization } from '../../../directory/organization.ts';
import { type AppContext, oncePerApp } from '../../../extension/app-context.ts';

export interface Conversation {
  readonly id: number;
  readonly recipientId: number;
  /** Ascending, including the caller. */
  readonly participants: readonly number[];
}

/** The participants in canonical order, each once. */
export function participantsOf(userIds: Iterable<number>): readonly number[] {
  return [...new Set(userIds)].sort((a, b) => a - b);
}

const MAX_CACHED_CONVERSATIONS = 50_000;

/** The organization, as the cache needs it. */
type Home = Pick<Organization, 'id' | 'lineage'>;

/**
 * Finds direct conversations by their participants. Conversations never change, so found ones are cached. A promotion can lose a new
 * conversation, and another one could then get its id. So a cached one is valid only for the lineage of the organization, and what a standby
 * says is not cached.
 */
export class Conversations {
  readonly #db: Db;
  readonly #known = new Map<string, Conversation>();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Finds the conversation of exactly these users; undefined if no message was ever sent in it.
   * @param db a transaction or connection that the caller already has; what it finds is not cached
   */
  async find(
    organization: Home,
    userIds: Iterable<number>,
    db: Db | DbTransaction = this.#db,
  ): Promise<Conversation | undefined> {
    const participants = participantsOf(userIds);
    const key = keyOf(organization, participants);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const row = await db
      .selectFrom('direct_conversations')
      .select(['id', 'recipient_id'])
      .where('organization_id', '=', organization.id)
      .where('fingerprint', '=', fingerprint(participants))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const conversation = { id: row.id, recipientId: row.recipient_id, participants };
    if (db === this.#db) this.#remember(key, conversation);
    return conversation;
  }

  /**
   * The same, but creates a missing conversation. It needs no event, because clients do not see an empty conversation.
   */
  async findOrCreate(organization: Home, userIds: Iterable<number>): Promise<Conversation> {
    const participants = participantsOf(userIds);
    const found = await this.find(organization, participants);
    if (found !== undefined) return found;
    await sql`
      WITH made AS (
        INSERT INTO direct_conversations (organization_id, participants, fingerprint)
        VALUES (${organization.id}, ${participants}::int[], ${fingerprint(participants)})
        ON CONFLICT (organization_id, fingerprint) DO NOTHING
        RETURNING id
      )
      INSERT INTO direct_participants (organization_id, user_id, conversation_id)
      SELECT ${organization.id}, user_id, made.id
        FROM made, unnest(${participants}::int[]) AS user_id`.execute(this.#db);
    const made = await this.find(organization, participants);
    if (made === undefined) throw new Error('a conversation that was just made is not there');
    return made;
  }

  /** Forgets what is cached. Call it when an id of the cache has turned out to be wrong. */
  forget(): void {
    this.#known.clear();
  }

  #remember(key: string, conversation: Conversation): void {
    if (this.#known.size >= MAX_CACHED_CONVERSATIONS) this.#known.clear();
    this.#known.set(key, conversation);
  }
}

/**
 * The conversations of a user with each of the others, by the other user's id. Creates missing ones. It runs in a
 * transaction that may roll back, so it caches nothing. Two statements, whatever the number.
 */
export async function conversationsWithEach(
  db: DbTransaction,
  organizationId: number,
  userId: number,
  others: readonly number[],
): Promise<ReadonlyMap<number, Conversation>> {
  const pairs = others.map((other) => participantsOf([userId, other]));
  await sql`
    WITH made AS (
      INSERT INTO direct_conversations (organization_id, participants, fingerprint)
      SELECT ${organizationId}, ARRAY[pair.lower, pair.higher], pair.fingerprint
        FROM unnest(${pairs.map(([lower]) => lower)}::int[], ${pairs.map((pair) => pair.at(-1))}::int[],
                    ${pairs.map(fingerprint)}::text[]) AS pair (lower, higher, fingerprint)
       ORDER BY pair.lower, pair.higher
          ON CONFLICT (organization_id, fingerprint) DO NOTHING
      RETURNING id, participants
    )
    INSERT INTO direct_participants (organization_id, user_id, conversation_id)
    SELECT ${organizationId}, participant.user_id, made.id
      FROM made, unnest(made.participants) AS participant (user_id)`.execute(db);
  const rows = await db
    .selectFrom('direct_conversations')
    .select(['id', 'recipient_id', 'participants'])
    .where('organization_id', '=', organizationId)
    .where('fingerprint', '=', sql<string>`ANY(${pairs.map(fingerprint)}::text[])`)
    .execute();
  return new Map(
    rows.map(({ id, recipient_id: recipientId, participants }) => {
      const other = participants.find((participant) => participant !== userId) ?? userId;
      return [other, { id, recipientId, participants: participantsOf([userId, other]) }];
    }),
  );
}

/** The conversations that this process has cached. */
export const conversationsOf = oncePerApp(({ db }: Pick<AppContext, 'db'>) => new Conversations(db));

function keyOf({ id, lineage }: Home, participants: readonly number[]): string {
  return `${id} ${lineage}:${participants.join(',')}`;
}

/** A key of bounded length for any number of participants, so that an index can hold it. */
export function fingerprint(participants: readonly number[]): string {
  const list = participants.join(',');
  return list.length <= 64 ? list : createHash('sha256').update(list).digest('hex');
}
