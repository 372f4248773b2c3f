import { sql } from 'kysely';
import type { Db, Row } from '../../db/schema.ts';
import type { OptimisticChange, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type NoticeContext, noticeContextOf, noticeDirectly } from '../../domain/sending/sending/notices.ts';
import { isLong } from '../../domain/sending/sending/prepare.ts';
import {
  commitTogether,
  deleteRows,
  inRounds,
  lockDue,
  lookFor,
  markFailed,
  type Unchanged,
} from '../../domain/texts/shared/due.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { turn } from '../../http/limits/turns.ts';
import type { DueNow, ScheduledKind } from '../../jobs/scheduler.ts';
import { addedEvent, removedEvent } from './events.ts';
import { toReminder } from './queries.ts';
import { targetOf } from './target.ts';
import { OF_DELETED, reminderText, withNote } from './text.ts';

type ReminderRow = Row<'reminders'>;

/** A due reminder and what to do with it, as of shortly before the commit. */
interface Planned {
  readonly row: ReminderRow;
  /** Null: it cannot be delivered, because the account is deactivated. */
  readonly notice: Notice | null;
}

interface Notice {
  readonly user: UserRecord;
  readonly content: string;
  readonly noticeContext: NoticeContext;
}

/**
 * Delivers due reminders. A late one is better than none. The notification bot's message and the deletion of the reminder are one commit.
 */
export class ReminderDeliveries implements ScheduledKind {
  readonly name = 'reminders';
  readonly #app: AppContext;

  constructor(app: AppContext) {
    this.#app = app;
  }

  look(db: Db): Promise<DueNow> {
    return lookFor(db, 'reminders');
  }

  run(organizationId: number, signal: AbortSignal): Promise<boolean> {
    return inRounds(this.#app, { table: 'reminders', organizationId, signal }, async (organization, rows) => {
      const planned: Planned[] = [];
      for (const row of rows) planned.push({ row, notice: await this.#plan(organization, row) });
      return this.#deliver(organization, planned);
    });
  }

  async #plan(organization: Organization, row: ReminderRow): Promise<Notice | null> {
    const { directory } = organization;
    const user = directory.user(row.user_id);
    if (user === undefined || !user.isActive) return null;
    const url = this.#app.address.of(directory.organization.subdomain);
    const target = await targetOf(this.#app.db, directory, user, row.message_id, 'look');
    const content = target === undefined ? lastKnown(row) : reminderText(target, row.note, url);
    const noticeContext = noticeContextOf(directory, user, url);
    if (isLong(content)) await turn();
    noticeContext.render(content);
    return { user, content, noticeContext };
  }

  #deliver(organization: Organization, planned: readonly Planned[]): Promise<number> {
    const commit = (some: readonly Planned[]) =>
      organization.transact('server', 'optimistic', (change) => deliverWithin(change, some));
    return commitTogether(planned, commit, ({ row }, error) => {
      this.#app.log.error({ err: error, organization: organization.id }, 'a reminder could not be delivered');
      return commit([{ row, notice: null }]);
    });
  }
}

/** For a user who can no longer see the message: its text when they created the reminder. */
function lastKnown({ content, note }: ReminderRow): string {
  return content === OF_DELETED ? withNote(OF_DELETED, note) : content;
}

/** If the message was deleted after the planning, the plan quotes it. Such a reminder waits for the next run. */
const UNCHANGED: Unchanged<ReminderRow> = {
  is: sql`due.content = ${OF_DELETED}`,
  was: ({ content }) => content === OF_DELETED,
};

/** @returns how many were delivered or have failed */
async function deliverWithin(change: OptimisticChange, planned: readonly Planned[]): Promise<number> {
  const { db, directory, append } = change;
  const organizationId = directory.organization.id;
  const rows = planned.map(({ row }) => row);
  const locked = await lockDue(db, 'reminders', organizationId, rows, UNCHANGED);
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
  await markFailed(db, 'reminders', organizationId, failed);
  return delivered.length + failed.length;
}

async function tell(change: OptimisticChange, { user, content, noticeContext }: Notice): Promise<boolean> {
  if (!(change.directory.user(user.id)?.isActive ?? false)) return false;
  return noticeDirectly(change, [{ user, content }], noticeContext);
}
