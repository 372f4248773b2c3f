import pg from 'pg';
import { parameterOf, textsParameter } from '../db/parameters.ts';
import type { Bases, LogEntry } from './entry.ts';
import type { NewEvent } from './event.ts';

/** The state of the log that an append requires. If the log differs, the statement fails (see `isRefusal`). */
export interface Expected {
  /**
   * The last event that the caller's directory includes. The log must contain it, and no later event may have changed
   * the directory.
   */
  readonly directory: number;
  /** The last event in the log must be exactly this one. Null: any event may be the last. */
  readonly head: number | null;
}

/**
 * The append statement: one statement for an entry, however many messages and events it has. It locks the log's row,
 * assigns the ids, and inserts messages, flags, mass mentions and events. Sends run it alone, as a whole transaction.
 * In a longer transaction it is the last statement (I2). If `taken` finds no row, `heddle_refuse_append` fails the
 * transaction, so no event is lost silently.
 *
 * - $1 organization, $2 number of events, $3 number of messages.
 * - $4 expected directory position, $5 position of the last event with state deltas (0: none).
 * - $6 expected head (null: any).
 * - $7–$16 messages, $17–$19 flags, $20–$25 events.
 * - $26–$27 channels that get their first message, or (with 0) become recently active.
 * - $28–$30 mass mentions, $31–$33 widgets.
 */
const appendText = (more = '') => `
  WITH taken AS (
    UPDATE logs
       SET head = head + $2,
           message_head = message_head + $3,
           directory_head = CASE WHEN $5 > 0 THEN head + $5 ELSE directory_head END
     WHERE organization_id = $1 AND directory_head <= $4 AND head >= $4 AND ($6::bigint IS NULL OR head = $6)
     RETURNING head - $2 AS event_base, message_head - $3 AS message_base
  ), sent AS (
    INSERT INTO messages (organization_id, id, sender_id, channel_id, conversation_id, topic, content, rendered_content,
                          mentions_channel, is_me_message, client, sent_at, has_submessages)
    SELECT $1, taken.message_base + new.place, new.sender_id, new.channel_id, new.conversation_id, new.topic, new.content,
           new.rendered_content, new.mentions_channel, new.is_me_message, new.client, to_timestamp(new.sent_at),
           new.place = ANY ($31::int[])
      FROM taken,
           unnest($7::int[], $8::int[], $9::int[], $10::text[], $11::text[], $12::text[], $13::bool[], $14::bool[],
                  $15::text[], $16::bigint[])
             WITH ORDINALITY AS new (sender_id, channel_id, conversation_id, topic, content, rendered_content,
                                     mentions_channel, is_me_message, client, sent_at, place)
  ), flagged AS (
    INSERT INTO message_flags (organization_id, user_id, message_id, flags)
    SELECT $1, new.user_id, taken.message_base + new.message, new.flags
      FROM taken, unnest($17::int[], $18::int[], $19::smallint[]) AS new (user_id, message, flags)
  ), announced AS (
    INSERT INTO events (organization_id, id, type, audience, body, facts, message_id)
    SELECT $1, taken.event_base + new.place, new.type, new.audience, new.body, new.facts,
           CASE WHEN new.message > 0 THEN taken.message_base + new.message ELSE new.message_id END
      FROM taken,
           unnest($20::text[], $21::text[], $22::text[], $23::text[], $24::int[], $25::bigint[])
             WITH ORDINALITY AS new (type, audience, body, facts, message, message_id, place)
  ), begun AS (
    UPDATE channels
       SET first_message_id = CASE WHEN new.message > 0 THEN taken.message_base + new.message ELSE first_message_id END,
           is_recently_active = true
      FROM taken, unnest($26::int[], $27::int[]) AS new (channel_id, message)
     WHERE channels.organization_id = $1 AND channels.id = new.channel_id
  ), mentioned AS (
    INSERT INTO mass_mentions (organization_id, message_id, first_user_id, user_bits)
    SELECT $1, taken.message_base + new.message, new.first, new.bits
      FROM taken, unnest($28::int[], $29::int[], $30::bytea[]) AS new (message, first, bits)
  ), widgets AS (
    INSERT INTO submessages (organization_id, message_id, place, sender_id, kind, content)
    SELECT $1, taken.message_base + new.message, 0, new.sender_id, 'widget', new.content
      FROM taken, unnest($31::int[], $32::int[], $33::text[]) AS new (message, sender_id, content)
  )${more}
  SELECT coalesce((SELECT event_base FROM taken), heddle_refuse_append()) AS events,
         (SELECT message_base FROM taken) AS messages`;

const APPEND = appendText();

/** Few messages link to uploaded files, so links need a statement of their own. $34 are messages, $35 files. */
const ATTACHED = `, attached AS (
    INSERT INTO attachment_messages (organization_id, attachment_id, message_id)
    SELECT $1, new.attachment_id, taken.message_base + new.message
      FROM taken, unnest($34::int[], $35::bigint[]) AS new (message, attachment_id)
  )`;

const APPEND_WITH_FILES = appendText(ATTACHED);

/** Even fewer messages make users visible to guests. $36 are guests, $37 the users whom they can access. */
const APPEND_WITH_INTRODUCTIONS = appendText(`${ATTACHED}, introduced AS (
    INSERT INTO acquaintances (organization_id, guest_id, user_id)
    SELECT $1, new.guest_id, new.user_id
      FROM taken, unnest($36::int[], $37::int[]) AS new (guest_id, user_id)
        ON CONFLICT DO NOTHING
  )`);

/** Returns the statement that appends the entry. It returns one row, which `basesIn` reads. */
export function appendStatement(organizationId: number, entry: LogEntry, expected: Expected): pg.QueryConfig {
  const { messages, events, flags, opened, revived, massMentions, attached, introduced } = entry;
  const hasIntroductions = introduced.length > 0;
  const hasFiles = attached.length > 0 || hasIntroductions;
  // PostgreSQL updates a row only once in a statement, so each channel must appear once.
  const begun = [...new Set([...opened.keys(), ...revived])];
  const widgets = messages.flatMap(({ widget, senderId }, index) =>
    widget === undefined ? [] : [{ message: index + 1, senderId, content: widget }],
  );
  const columns = eventColumns(events.map(({ value }) => value));
  return {
    ...textFor(hasFiles, hasIntroductions),
    values: [
      organizationId,
      events.length,
      messages.length,
      expected.directory,
      events.findLastIndex(({ value }) => value.facts !== undefined) + 1,
      expected.head,
      messages.map((message) => message.senderId),
      messages.map((message) => message.channelId),
      messages.map((message) => message.conversationId),
      messages.map((message) => message.topic),
      textsParameter(messages.map((message) => message.content)),
      textsParameter(messages.map((message) => message.renderedContent)),
      messages.map((message) => message.mentionsChannel),
      messages.map((message) => message.isMeMessage),
      messages.map((message) => message.client),
      messages.map((message) => message.sentAt),
      flags.map(({ value }) => value[0]),
      flags.map(({ message }) => message),
      flags.map(({ value }) => value[1]),
      columns.types,
      columns.audiences,
      textsParameter(columns.bodies),
      columns.facts,
      events.map(({ message }) => message),
      columns.messageIds,
      begun,
      begun.map((channelId) => opened.get(channelId) ?? 0),
      massMentions.map(({ message }) => message),
      massMentions.map(({ value }) => value.first),
      massMentions.map(({ value }) => value.bits),
      widgets.map(({ message }) => message),
      widgets.map(({ senderId }) => senderId),
      widgets.map(({ content }) => content),
      ...(hasFiles ? [attached.map(({ message }) => message), attached.map(({ value }) => value)] : []),
      ...(hasIntroductions ? [introduced.map(([guestId]) => guestId), introduced.map(([, userId]) => userId)] : []),
    ].map(parameterOf),
  };
}

function textFor(hasFiles: boolean, hasIntroductions: boolean): Pick<pg.QueryConfig, 'name' | 'text'> {
  if (hasIntroductions) return { name: 'append with introductions', text: APPEND_WITH_INTRODUCTIONS };
  return hasFiles ? { name: 'append with files', text: APPEND_WITH_FILES } : { name: 'append', text: APPEND };
}

export function basesIn(rows: readonly unknown[]): Bases {
  const [bases] = rows as readonly Bases[];
  if (bases === undefined) throw new Error('the append statement returned no row');
  return bases;
}

/** Whether an append failed because the log did not match `Expected`. Then nothing of the transaction has happened. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === 'HD001';
}

/** The columns of the events, as arrays for `unnest`. */
export function eventColumns(events: readonly NewEvent[]) {
  return {
    types: events.map((event) => event.type),
    audiences: events.map((event) => JSON.stringify(event.audience)),
    bodies: events.map((event) => JSON.stringify(event.body)),
    facts: events.map((event) => (event.facts === undefined ? null : JSON.stringify(event.facts))),
    messageIds: events.map((event) => event.messageId ?? null),
  };
}
