import { badRequest, resourceNotFound, serviceUnavailable } from '@heddle/api/errors.ts';
import { checkTopicsPolicy } from '../../access/messages.ts';
import type { Row } from '../../db/schema.ts';
import type { OptimisticChange, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { MessageActions } from '../../domain/sending/sending/actions.ts';
import { readsWhatItSends } from '../../domain/sending/sending/clients.ts';
import type { ReadyMessage } from '../../domain/sending/sending/ready-message.ts';
import type { Address } from '../../domain/sending/sending/recipients.ts';
import { checkedDeliveryTime, notInFuture } from '../../domain/texts/shared/delivery-time.ts';
import { checkAddedTexts, checkChangedTexts } from '../../domain/texts/shared/kept-texts.ts';
import { checkedTopic } from '../../domain/texts/shared/topic-names.ts';
import { relinkScheduled, unlinkAllScheduled } from '../../domain/uploads/attachments.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { takeDelivered } from './delivered.ts';
import { scheduledEvent } from './events.ts';
import { othersIn } from './present.ts';
import { findScheduled, toScheduled } from './queries.ts';

/** How often an edit is retried after a conflict with another edit of the same message. */
const MAX_EDIT_ATTEMPTS = 5;

/** A type in the words of clients. */
export type WireType = 'direct' | 'channel' | 'stream' | 'private';

export interface Scheduling {
  readonly type: WireType;
  readonly to: number | readonly number[];
  readonly topic: string | undefined;
  readonly content: string;
  /** Seconds since the epoch. */
  readonly deliverAt: number;
  readonly client: string;
  /** Undefined: the default of the client, but not for messages to oneself only. */
  readonly readBySender: boolean | undefined;
}

/** The changes of an edit; undefined fields stay. */
export interface Rescheduling {
  readonly type: WireType | undefined;
  readonly to: number | readonly number[] | undefined;
  readonly topic: string | undefined;
  readonly content: string | undefined;
  readonly deliverAt: number | undefined;
  readonly client: string;
}

type ScheduledRow = Row<'scheduled_messages'>;

/** Stores messages to send later. `delivering.ts` sends them. */
export class ScheduledMessageActions {
  readonly #app: Pick<AppContext, 'db' | 'scheduler'>;
  readonly #messages: MessageActions;

  constructor(app: Pick<AppContext, 'db' | 'pool' | 'address' | 'config' | 'scheduler' | 'secret'>) {
    this.#app = app;
    this.#messages = new MessageActions(app);
  }

  /**
   * Schedules a message that the caller could send now, and returns its id.
   * @throws ApiError for a time that is not in the future, too many or too much of them, and every error of sending
   */
  async schedule(organization: Organization, caller: UserRecord, scheduling: Scheduling): Promise<number> {
    const { client, content } = scheduling;
    const deliverAt = checkedDeliveryTime(scheduling.deliverAt);
    const address = addressOf(scheduling.type, scheduling.to, scheduling.topic);
    const ready = await this.#ready(organization, caller, { address, content, client });
    const isForSelf = ready.participants?.length === 1;
    const id = await organization.transact(caller, 'optimistic', async (change, user) => {
      const row = await change.db
        .insertInto('scheduled_messages')
        .values({
          organization_id: change.directory.organization.id,
          user_id: user.id,
          ...columnsOf(change, ready),
          client,
          read_by_sender: scheduling.readBySender ?? (readsWhatItSends(client) && !isForSelf),
          deliver_at: deliverAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const { files } = ready.asOf(change.directory);
      if (files.length > 0) await relinkScheduled(change, user.id, row.id, files);
      await checkAddedTexts(change.db, 'scheduled_messages', { organizationId: organization.id, userId: user.id });
      change.append(scheduledEvent({ op: 'add', userId: user.id, scheduled: toScheduled(row) }));
      return row.id;
    });
    this.#app.scheduler.expect(deliverAt);
    return id;
  }

  /**
   * Applies the given changes (interface document, "PATCH /scheduled_messages/{scheduled_message_id}"). If the text or the recipients
   * change, the server checks the message again as if it were sent now. If only the topic changes, it checks whether the channel accepts
   * it. A failed message gets a new delivery time and is sent again.
   * @throws ApiError `RESOURCE_NOT_FOUND`: the caller has no such message, or it was sent; and as `schedule`
   */
  async edit(organization: Organization, caller: UserRecord, id: number, changes: Rescheduling): Promise<void> {
    checkIsComplete(changes);
    const deliverAt = changes.deliverAt === undefined ? undefined : checkedDeliveryTime(changes.deliverAt);
    for (let attempt = 0; attempt < MAX_EDIT_ATTEMPTS; attempt++) {
      const row = await findScheduled(this.#app.db, organization.id, caller.id, id);
      if (row === undefined) throw noSuchMessage();
      if (row.failed && deliverAt === undefined) throw notInFuture();
      const { type, to, content = row.content, client } = changes;
      const isToCheck = type !== undefined || to !== undefined || changes.content !== undefined;
      const ready = isToCheck
        ? await this.#ready(organization, caller, { address: changedAddress(row, changes), content, client })
        : undefined;
      const isDone = await organization.transact(caller, 'optimistic', async (change) => {
        const columns = ready === undefined ? topicOf(change, row, changes) : columnsOf(change, ready);
        const written = { ...columns, client, ...(deliverAt !== undefined && { deliver_at: deliverAt }) };
        const isWritten = await writeEdit(change, row, written);
        if (isWritten && ready !== undefined) {
          await relinkScheduled(change, row.user_id, row.id, ready.asOf(change.directory).files);
          await checkChangedTexts(change.db, 'scheduled_messages', {
            organizationId: organization.id,
            userId: row.user_id,
          });
        }
        return isWritten;
      });
      if (!isDone) continue;
      if (deliverAt !== undefined) this.#app.scheduler.expect(deliverAt);
      return;
    }
    throw serviceUnavailable('The scheduled message is being changed; please try again');
  }

  #ready(
    organization: Organization,
    caller: UserRecord,
    message: { readonly address: Address; readonly content: string; readonly client: string },
  ): Promise<ReadyMessage> {
    return this.#messages.ready(organization, caller, { ...message, readBySender: false, echo: null });
  }
}

/**
 * Deletes a scheduled message. A client may ask while the server sends the message: this succeeds, too, and changes nothing.
 * @throws ApiError `RESOURCE_NOT_FOUND`: the caller has no such message, or it was sent longer ago than `delivered.ts` remembers
 */
export async function deleteScheduled(change: OptimisticChange, { id: userId }: UserRecord, id: number): Promise<void> {
  const { db, directory, append } = change;
  await relinkScheduled(change, userId, id, []);
  const { numDeletedRows } = await db
    .deleteFrom('scheduled_messages')
    .where('organization_id', '=', directory.organization.id)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows > 0n) append(scheduledEvent({ op: 'remove', userId, id }));
  else if (!(await takeDelivered(db, directory.organization.id, userId, id))) throw noSuchMessage();
}

/** Deletes everything that the user has scheduled. */
export async function deleteAllScheduled(change: OptimisticChange, { id: userId }: UserRecord): Promise<void> {
  const { db, directory, append } = change;
  await unlinkAllScheduled(change, userId);
  const rows = await db
    .deleteFrom('scheduled_messages')
    .where('organization_id', '=', directory.organization.id)
    .where('user_id', '=', userId)
    .returning('id')
    .execute();
  for (const { id } of rows) append(scheduledEvent({ op: 'remove', userId, id }));
}

/** @returns false if the message has changed since the edit began */
async function writeEdit(
  { db, append }: OptimisticChange,
  before: ScheduledRow,
  written: Partial<ScheduledRow>,
): Promise<boolean> {
  const row = await db
    .updateTable('scheduled_messages')
    .set({ ...written, failed: false, revision: before.revision + 1 })
    .where('organization_id', '=', before.organization_id)
    .where('user_id', '=', before.user_id)
    .where('id', '=', before.id)
    .where('revision', '=', before.revision)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return false;
  append(scheduledEvent({ op: 'update', userId: row.user_id, scheduled: toScheduled(row) }));
  return true;
}

/** The stored columns of the message, as it would be sent now. */
function columnsOf({ directory }: OptimisticChange, ready: ReadyMessage) {
  const { channel_id, topic, content, rendered_content } = ready.asOf(directory).message.row;
  return {
    channel_id,
    participants: ready.participants === null ? null : [...ready.participants],
    topic,
    content,
    rendered_content,
  };
}

/**
 * The new topic. Direct messages have none.
 * @throws ApiError for a topic that is invalid, or that the channel does not accept
 */
function topicOf({ directory }: OptimisticChange, row: ScheduledRow, changes: Rescheduling): { topic?: string } {
  if (changes.topic === undefined || row.channel_id === null) return {};
  const topic = checkedTopic(changes.topic);
  const channel = directory.channel(row.channel_id);
  if (channel !== undefined) checkTopicsPolicy(directory, channel, topic);
  return { topic };
}

function changedAddress(row: ScheduledRow, { type, to, topic }: Rescheduling): Address {
  const before = row.channel_id === null ? 'direct' : 'channel';
  const toBefore = row.channel_id ?? othersIn(row.participants ?? [], row.user_id);
  return addressOf(type ?? before, to ?? toBefore, topic ?? row.topic);
}

function addressOf(type: WireType, to: number | readonly number[], topic: string | undefined): Address {
  if (type === 'channel' || type === 'stream') {
    if (typeof to !== 'number') throw badRequest('Invalid data type for channel ID');
    if (topic === undefined) throw badRequest('Missing topic');
    return { kind: 'channel', channel: to, topic };
  }
  if (typeof to === 'number') throw badRequest('Invalid data type for recipients');
  if (to.length === 0) throw badRequest('Message must have recipients');
  return { kind: 'direct', users: [...new Set(to)] };
}

/** @throws ApiError `BAD_REQUEST`: no changes, or a type without the fields that it requires */
function checkIsComplete({ type, to, topic, content, deliverAt }: Rescheduling): void {
  if ([type, to, topic, content, deliverAt].every((value) => value === undefined)) {
    throw badRequest('Nothing to change');
  }
  if (type === undefined) return;
  if (to === undefined) throw badRequest('Recipient required when updating type of scheduled message.');
  if ((type === 'channel' || type === 'stream') && topic === undefined) {
    throw badRequest('Topic required when updating scheduled message type to channel.');
  }
}

function noSuchMessage() {
  return resourceNotFound('Scheduled message does not exist');
}
