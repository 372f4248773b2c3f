import { sql } from 'kysely';
import type { Db, DbTransaction, Row } from '../../db/schema.ts';
import type { OrdinaryChange, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { turn } from '../../http/turns.ts';
import type { DueKind, DueNow } from '../../jobs/due-rows.ts';
import { commitTogether, deleteRows, dueIn, inRounds, lookFor } from '../due.ts';
import type { Rooms } from '../rooms.ts';
import { isLong, type Noticing, noticeDirectly, noticingOf } from '../sending/actions.ts';
import { addedEvent, removedEvent } from './events.ts';
import { toReminder } from './queries.ts';
import { targetOf } from './target.ts';
import { OF_DELETED, reminderText, withNote } from './text.ts';

type ReminderRow = Row<'reminders'>;

/** A due reminder with what is to become of it, as of a moment before the commit. */
interface Planned {
  readonly row: ReminderRow;
  /** Null: it cannot be delivered, as the account is closed. */
  readonly notice: Notice | null;
}

interface Notice {
  readonly user: UserRecord;
  readonly content: string;
  readonly noticing: Noticing;
}

/**
 * Reminds users when it is time, or later where nobody could: a late reminder is better than none. The notification bot's message and the
 * end of the reminder are one commit.
 */
export class ReminderDeliveries implements DueKind {
  readonly name = 'reminders';
  readonly #rooms: Rooms;

  constructor(rooms: Rooms) {
    this.#rooms = rooms;
  }

  look(db: Db): Promise<DueNow> {
    return lookFor(db, 'reminders');
  }

  async run(organizationId: number, signal: AbortSignal): Promise<boolean> {
    const organization = await this.#rooms.organizations.byId(organizationId);
    if (organization === undefined) return false;
    return inRounds(signal, async () => {
      const rows = await dueIn(this.#rooms.db, 'reminders', organizationId);
      const planned: Planned[] = [];
      for (const row of rows) planned.push({ row, notice: await this.#plan(organization, row) });
      return planned.length === 0 ? 0 : this.#deliver(organization, planned);
    });
  }

  async #plan(organization: Organization, row: ReminderRow): Promise<Notice | null> {
    const { directory } = organization;
    const user = directory.user(row.user_id);
    if (user === undefined || !user.isActive) return null;
    const url = this.#rooms.address.of(directory.organization.subdomain);
    const target = await targetOf(this.#rooms.db, directory, user, row.message_id, 'look');
    const content = target === undefined ? lastKnown(row) : reminderText(target, row.note, url);
    const noticing = noticingOf(directory, user, url);
    if (isLong(content)) await turn();
    noticing.render(content);
    return { user, content, noticing };
  }

  #deliver(organization: Organization, planned: readonly Planned[]): Promise<number> {
    const commit = (some: readonly Planned[]) => organization.ordinaryByServer((change) => deliverWithin(change, some));
    return commitTogether(planned, commit, ({ row }, error) => {
      this.#rooms.log.error({ err: error, organization: organization.id }, 'a reminder could not be delivered');
      return commit([{ row, notice: null }]);
    });
  }
}

/** Who may not see the message any more is told what they saw then. */
function lastKnown({ content, note }: ReminderRow): string {
  return content === OF_DELETED ? withNote(OF_DELETED, note) : content;
}

/** @returns how many were delivered or have failed */
async function deliverWithin(change: OrdinaryChange, planned: readonly Planned[]): Promise<number> {
  const { db, directory, append } = change;
  const organizationId = directory.organization.id;
  const locked = await lockDue(
    db,
    organizationId,
    planned.map(({ row }) => row),
  );
  const delivered: ReminderRow[] = [];
  const failed: ReminderRow[] = [];
  for (const { row, notice } of planned) {
    if (!locked.has(row.id)) continue;
    const isDelivered = notice !== null && (await tell(change, notice));
    append(removedEvent(row.user_id, row.id));
    if (!isDelivered) append(addedEvent(row.user_id, { ...toReminder(row), failed: true }));
    (isDelivered ? delivered : failed).push(row);
  }
  await deleteRows(db, 'reminders', organizationId, delivered);
  await markFailed(db, organizationId, failed);
  return delivered.length + failed.length;
}

async function tell(change: OrdinaryChange, { user, content, noticing }: Notice): Promise<boolean> {
  if (!(change.directory.user(user.id)?.isActive ?? false)) return false;
  return noticeDirectly(change, [{ user, content }], noticing);
}

/**
 * Those that are still due, locked; another process may have some. What was planned for one whose message has been deleted since quotes that:
 * it is left for the next time. Index: the primary key.
 */
async function lockDue(
  db: DbTransaction,
  organizationId: number,
  rows: readonly ReminderRow[],
): Promise<ReadonlySet<number>> {
  const { rows: locked } = await sql<{ id: number }>`
    SELECT due.id
      FROM reminders due
      JOIN unnest(${rows.map((row) => row.user_id)}::integer[], ${rows.map((row) => row.id)}::bigint[],
                  ${rows.map((row) => row.content === OF_DELETED)}::boolean[]) AS planned (user_id, id, of_deleted)
        ON due.user_id = planned.user_id AND due.id = planned.id
       AND (due.content = ${OF_DELETED}) = planned.of_deleted
     WHERE due.organization_id = ${organizationId} AND NOT due.failed AND due.deliver_at <= now()
     ORDER BY due.id FOR UPDATE OF due SKIP LOCKED`.execute(db);
  return new Set(locked.map(({ id }) => id));
}

async function markFailed(db: DbTransaction, organizationId: number, rows: readonly ReminderRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    UPDATE reminders SET failed = true
     WHERE organization_id = ${organizationId} AND (user_id, id) IN (
             SELECT * FROM unnest(${rows.map((row) => row.user_id)}::integer[], ${rows.map((row) => row.id)}::bigint[])
           )`.execute(db);
}
