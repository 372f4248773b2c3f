import { badNarrow, badRequest } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { mayRead, type Reader } from '../../../access/readable-messages.ts';
import type { Viewer } from '../../../access/spectators.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { Planning } from '../../../directory/reading.ts';
import type { Conversations } from '../../messages/conversations/actions.ts';
import { type Condition, checkKinds, partsOf, readNarrow, type Term, type WireTerm } from './narrow.ts';
import type { LookedUp } from './narrow-checks.ts';
import { type Estimates, type Found, find } from './search.ts';

/** A narrow with everything that it names looked up. */
export interface ReadyNarrow {
  readonly terms: readonly Term[];
  readonly lookedUp: LookedUp;
}

interface Asking extends Planning<Viewer> {
  readonly organization: Organization;
  readonly conversations: Conversations;
  readonly estimates: Estimates;
  readonly reader: Reader;
}

/** Searches per narrow. Each one searches the index on its own. */
const MAX_SEARCHES = 5;
/** Characters per search. */
const MAX_SEARCH_LENGTH = 500;

/** @throws ApiError `BAD_NARROW`; `BAD_REQUEST` for a search without a word */
export async function readyNarrow(asking: Asking, narrow: readonly WireTerm[]): Promise<ReadyNarrow> {
  const terms = await followed(asking, narrow);
  checkKinds(terms);
  const { organizationId } = asking.reader;
  const conversations = new Map<Condition, number | undefined>();
  const found = new Map<Condition, Found>();
  for (const { condition } of terms) {
    if (condition.on === 'conversation') {
      conversations.set(
        condition,
        (await asking.conversations.find(asking.organization, condition.participants, asking.db))?.id,
      );
    }
    if (condition.on !== 'search') continue;
    if (condition.text === '') throw badRequest('operand cannot be blank.');
    if (condition.text.length > MAX_SEARCH_LENGTH) {
      throw badNarrow(`at most ${MAX_SEARCH_LENGTH} characters can be searched for`);
    }
    if (found.size === MAX_SEARCHES) throw badNarrow(`at most ${MAX_SEARCHES} searches at once`);
    found.set(condition, await find(asking, organizationId, condition.text));
  }
  return { terms, lookedUp: { conversations, found } };
}

const PLACES: ReadonlySet<string> = new Set(['channel', 'topic', 'dm']);

/**
 * Decodes a narrow, with the operator `with`. It names a message, and the message's conversation replaces the one in
 * the narrow. So old links still work after messages moved (public reference: "Construct a narrow"). If the user cannot
 * read that message, the narrow's own conversation counts.
 */
async function followed(asking: Asking, narrow: readonly WireTerm[]): Promise<readonly Term[]> {
  const { directory, caller } = asking;
  const named = narrow.filter((term) => partsOf(term).name === 'with');
  const [first, second] = named;
  if (first === undefined) return readNarrow(directory, caller, narrow);
  if (second !== undefined) throw badNarrow("Duplicate 'with' operators.");
  const others = narrow.filter((term) => term !== first);
  const id = Number(partsOf(first).operand);
  if (!Number.isSafeInteger(id)) throw badNarrow("Invalid 'with' operator");
  const place = await conversationOf(asking, id);
  if (place !== undefined) {
    const elsewhere = others.filter((term) => !PLACES.has(partsOf(term).name));
    return [...place.map((condition) => ({ condition, negated: false })), ...readNarrow(directory, caller, elsewhere)];
  }
  const names = new Set(others.map((term) => partsOf(term).name));
  if (!names.has('dm') && !(names.has('channel') && names.has('topic'))) throw badNarrow("Invalid 'with' operator");
  return readNarrow(directory, caller, others);
}

/**
 * The conversation of a message; undefined if it does not exist or this reader cannot read it. Index: the primary keys.
 */
async function conversationOf({ db, reader }: Asking, messageId: number): Promise<readonly Condition[] | undefined> {
  const { rows } = await sql<{ channel_id: number | null; topic: string; participants: number[] | null }>`
    SELECT m.channel_id, m.topic, c.participants
      FROM messages m
      LEFT JOIN direct_conversations c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
     WHERE m.organization_id = ${reader.organizationId} AND m.id = ${messageId}::bigint AND ${mayRead(reader)}`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  if (row.channel_id === null) return [{ on: 'conversation', participants: row.participants ?? [] }];
  return [
    { on: 'channel', channelId: row.channel_id },
    { on: 'topic', topic: row.topic },
  ];
}
