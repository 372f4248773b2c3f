import type pg from 'pg';
import { wasRolledBack } from '../../db/failures.ts';
import type { Organization } from '../../directory/organization.ts';
import { eventColumns } from '../../log/append.ts';
import type { LoggedEvent, NewEvent } from '../../log/event.ts';
import { GroupCommit, type Outcome } from '../../log/group-commit.ts';
import { type Draft, type PreparedMessage, prepareMessage } from './prepare.ts';

export interface Sent {
  readonly messageId: number;
  /** Resolves when this process has applied the message's events. */
  readonly applied: Promise<void>;
}

interface Item {
  readonly draft: Draft;
  prepared: PreparedMessage;
  /** The directory's last change that `prepared` knows of. */
  preparedAt: number;
}

/**
 * One statement for a whole group of sends (design, "The log"): it takes the log's lock and the ids, and inserts messages, flags and
 * events. It does nothing, and answers no row, where the directory has changed since the messages were prepared.
 * $1 organization, $2 events, $3 messages, $4 directory known, $5 ordinal of the last event with facts (0: none),
 * then the columns of messages, flags, events and first messages.
 */
const SEND = `
  WITH taken AS (
    UPDATE logs
       SET head = head + $2,
           message_head = message_head + $3,
           directory_head = CASE WHEN $5 > 0 THEN head + $5 ELSE directory_head END
     WHERE organization_id = $1 AND directory_head <= $4
     RETURNING head - $2 AS event_base, message_head - $3 AS message_base
  ), sent AS (
    INSERT INTO messages (organization_id, id, sender_id, channel_id, conversation_id, topic, content, rendered_content,
                          mentions_channel, is_me_message, client, sent_at)
    SELECT $1, taken.message_base + new.ord, new.sender_id, new.channel_id, new.conversation_id, new.topic, new.content,
           new.rendered_content, new.mentions_channel, new.is_me_message, new.client, to_timestamp(new.sent_at)
      FROM taken,
           unnest($6::int[], $7::int[], $8::int[], $9::text[], $10::text[], $11::text[], $12::bool[], $13::bool[],
                  $14::text[], $15::bigint[])
             WITH ORDINALITY AS new (sender_id, channel_id, conversation_id, topic, content, rendered_content,
                                     mentions_channel, is_me_message, client, sent_at, ord)
  ), flagged AS (
    INSERT INTO message_flags (organization_id, user_id, message_id, flags)
    SELECT $1, new.user_id, taken.message_base + new.message_ord, new.flags
      FROM taken, unnest($16::int[], $17::int[], $18::smallint[]) AS new (user_id, message_ord, flags)
  ), announced AS (
    INSERT INTO events (organization_id, id, type, audience, body, facts, message_id)
    SELECT $1, taken.event_base + new.ord, new.type, new.audience, new.body, new.facts,
           taken.message_base + new.message_ord
      FROM taken,
           unnest($19::text[], $20::text[], $21::text[], $22::text[], $23::int[])
             WITH ORDINALITY AS new (type, audience, body, facts, message_ord, ord)
  ), opened AS (
    UPDATE channels SET first_message_id = taken.message_base + new.message_ord
      FROM taken, unnest($24::int[], $25::int[]) AS new (channel_id, message_ord)
     WHERE channels.organization_id = $1 AND channels.id = new.channel_id
  )
  SELECT event_base, message_base FROM taken`;

/** Several times what a commit takes, in milliseconds. */
const OVERLAP_AFTER = 10;

/** Sends messages, those that arrive together in one commit. One for each process; groups are per organization. */
export class Sender {
  readonly #pool: pg.Pool;
  readonly #groups = new WeakMap<Organization, GroupCommit<Item, Sent>>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Stores the message, its flags and its events durably and together.
   * @throws ApiError for what makes the message impossible, now or at the moment of the commit
   */
  async send(organization: Organization, draft: Draft): Promise<number> {
    const { directory } = organization;
    const preparedAt = directory.changedAt;
    const prepared = prepareMessage(directory, draft, Date.now());
    const { messageId, applied } = await this.#groupOf(organization).add({ draft, prepared, preparedAt });
    await applied;
    return messageId;
  }

  #groupOf(organization: Organization): GroupCommit<Item, Sent> {
    let group = this.#groups.get(organization);
    if (group === undefined) {
      group = new GroupCommit({
        commit: (items) =>
          this.#commit(organization, items).catch((error) => {
            // Where the connection broke, the group may have gone through: then readers must hear of it all the same.
            organization.catchUpSoon();
            throw error;
          }),
        mayRetrySingly: wasRolledBack,
        overlapAfter: OVERLAP_AFTER,
      });
      this.#groups.set(organization, group);
    }
    return group;
  }

  async #commit(organization: Organization, items: readonly Item[]): Promise<readonly Outcome<Sent>[]> {
    const { directory } = organization;
    for (;;) {
      const outcomes = items.map((item) => refresh(organization, item));
      const able = items.filter((_, index) => outcomes[index] === undefined);
      if (able.length === 0) return outcomes.flatMap((outcome) => outcome ?? []);
      const group = layOut(able.map((item) => item.prepared));
      const taken = await this.#insert(organization.id, directory.appliedThrough, group);
      if (taken === undefined) {
        await organization.catchUp();
        continue;
      }
      const events = group.events.map(
        ({ event, messageOrdinal }, index): LoggedEvent => ({
          ...event,
          organizationId: organization.id,
          id: taken.event_base + index + 1,
          messageId: taken.message_base + messageOrdinal,
          ephemeral: false,
        }),
      );
      const applied = organization.committed(events);
      let ordinal = 0;
      return outcomes.map((outcome) => {
        if (outcome !== undefined) return outcome;
        ordinal += 1;
        return { result: { messageId: taken.message_base + ordinal, applied } };
      });
    }
  }

  async #insert(organizationId: number, directoryKnown: number, group: Layout) {
    const { messages, flags, events, first } = group;
    const columns = eventColumns(events.map(({ event }) => event));
    const bodies = messages.map((message) => message.body);
    const { rows } = await this.#pool.query<{ event_base: number; message_base: number }>({
      name: 'send-messages',
      text: SEND,
      values: [
        organizationId,
        events.length,
        messages.length,
        directoryKnown,
        events.findLastIndex(({ event }) => event.facts !== undefined) + 1,
        bodies.map((body) => body.sender.id),
        messages.map((message) => message.channelId),
        messages.map((message) => message.conversationId),
        bodies.map((body) => body.topic),
        bodies.map((body) => body.content),
        bodies.map((body) => body.renderedContent),
        bodies.map((body) => body.mentionsChannel),
        bodies.map((body) => body.isMeMessage),
        bodies.map((body) => body.client),
        bodies.map((body) => body.sentAt),
        flags.map((row) => row.userId),
        flags.map((row) => row.messageOrdinal),
        flags.map((row) => row.bits),
        columns.types,
        columns.audiences,
        columns.bodies,
        columns.facts,
        events.map(({ messageOrdinal }) => messageOrdinal),
        first.map((row) => row.channelId),
        first.map((row) => row.messageOrdinal),
      ],
    });
    return rows[0];
  }
}

/** Prepares the item again if the directory has changed since; answers the refusal where it has become impossible. */
function refresh(organization: Organization, item: Item): { readonly error: unknown } | undefined {
  const { directory } = organization;
  if (item.preparedAt === directory.changedAt) return undefined;
  try {
    item.prepared = prepareMessage(directory, item.draft, Date.now());
    item.preparedAt = directory.changedAt;
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** A group's rows in order; ordinals count the group's messages from 1. */
interface Layout {
  readonly messages: readonly PreparedMessage[];
  readonly flags: readonly { readonly userId: number; readonly messageOrdinal: number; readonly bits: number }[];
  readonly events: readonly { readonly event: NewEvent; readonly messageOrdinal: number }[];
  readonly first: readonly { readonly channelId: number; readonly messageOrdinal: number }[];
}

function layOut(messages: readonly PreparedMessage[]): Layout {
  const flags: { userId: number; messageOrdinal: number; bits: number }[] = [];
  const events: { event: NewEvent; messageOrdinal: number }[] = [];
  const first = new Map<number, number>();
  messages.forEach((message, index) => {
    const messageOrdinal = index + 1;
    for (const [userId, bits] of message.flags) flags.push({ userId, messageOrdinal, bits });
    events.push({ event: message.event, messageOrdinal });
    const { channel } = message.body;
    if (channel === null || !message.isFirstInChannel || first.has(channel.id)) return;
    first.set(channel.id, messageOrdinal);
    events.push({ event: firstMessageEvent(channel), messageOrdinal });
  });
  return {
    messages,
    flags,
    events,
    first: [...first].map(([channelId, messageOrdinal]) => ({ channelId, messageOrdinal })),
  };
}

/** The channel has its first message: the event's own (interface document, "Events": first_message_id). */
function firstMessageEvent(channel: { readonly id: number; readonly name: string }): NewEvent {
  return {
    type: 'stream',
    audience: { to: 'channel-viewers', channelId: channel.id },
    body: { op: 'first-message', channelId: channel.id, name: channel.name },
    facts: [{ fact: 'first-message', channelId: channel.id }],
  };
}
