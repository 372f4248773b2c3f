import { ApiError, deactivatedUser, internal } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { Db, Row } from '../../db/schema.ts';
import type { OptimisticChange, Organization } from '../../directory/organization.ts';
import { MessageActions } from '../../domain/sending/sending/actions.ts';
import { noticeContextOf, noticeDirectly } from '../../domain/sending/sending/notices.ts';
import type { ReadyMessage } from '../../domain/sending/sending/ready-message.ts';
import { sendReady } from '../../domain/sending/sending/send.ts';
import {
  commitTogether,
  deleteRows,
  inRounds,
  isPassing,
  lockDue,
  lookFor,
  markFailed,
  type Unchanged,
} from '../../domain/texts/shared/due.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { DueNow, ScheduledKind } from '../../jobs/scheduler.ts';
import { rememberDelivered } from './delivered.ts';
import { scheduledEvent } from './events.ts';
import { toScheduled } from './queries.ts';

/** A later message is not what its author meant (public reference); in milliseconds. */
const MAX_LATENESS_MS = 10 * 60_000;

type DueRow = Row<'scheduled_messages'>;

/** A due message and what to do with it, as of shortly before the commit. */
interface Planned {
  readonly row: DueRow;
  /** `reason`: why it cannot be sent. */
  readonly outcome: { readonly ready: ReadyMessage } | { readonly reason: string };
}

interface Failure {
  readonly row: DueRow;
  readonly reason: string;
}

/**
 * Sends scheduled messages when they are due. Messages are checked and rendered first. One optimistic transaction then sends them and
 * deletes their rows, so each is sent once. A message that cannot be sent is kept as failed, and its author is notified.
 */
export class ScheduledMessageDeliveries implements ScheduledKind {
  readonly name = 'scheduled messages';
  readonly #app: AppContext;
  readonly #messages: MessageActions;

  constructor(app: AppContext) {
    this.#app = app;
    this.#messages = new MessageActions(app);
  }

  look(db: Db): Promise<DueNow> {
    return lookFor(db, 'scheduled_messages');
  }

  run(organizationId: number, signal: AbortSignal): Promise<boolean> {
    const due = { table: 'scheduled_messages', organizationId, signal } as const;
    return inRounds(this.#app, due, async (organization, rows) => {
      const asOf = organization.directory.changedAt;
      const planned: Planned[] = [];
      for (const row of rows) planned.push({ row, outcome: await this.#plan(organization, row) });
      return this.#deliver(organization, planned, asOf);
    });
  }

  async #plan(organization: Organization, row: DueRow): Promise<Planned['outcome']> {
    const sender = organization.directory.user(row.user_id);
    if (sender === undefined || !sender.isActive) return { reason: deactivatedUser().message };
    if (Date.now() - row.deliver_at.getTime() > MAX_LATENESS_MS) {
      return { reason: 'Message could not be sent at the scheduled time.' };
    }
    const address =
      row.channel_id === null
        ? ({ kind: 'direct', users: row.participants ?? [] } as const)
        : ({ kind: 'channel', channel: row.channel_id, topic: row.topic } as const);
    const { content, client, read_by_sender: readBySender } = row;
    try {
      const request = { address, content, client, readBySender, echo: null };
      return { ready: await this.#messages.ready(organization, sender, request) };
    } catch (error) {
      if (isPassing(error)) throw error;
      if (error instanceof ApiError) return { reason: error.message };
      this.#app.log.error({ err: error, organization: organization.id }, 'a scheduled message could not be prepared');
      return { reason: internal().message };
    }
  }

  #deliver(organization: Organization, planned: readonly Planned[], asOf: number): Promise<number> {
    const { directory } = organization;
    const commit = (some: readonly Planned[], knowing: number) =>
      this.#messages.sentReady(
        organization.transact('server', 'optimistic', (change) => deliverWithin(this.#app, change, some, knowing)),
      );
    return commitTogether(
      planned,
      (some) => commit(some, asOf),
      ({ row }, error) => {
        this.#app.log.error({ err: error, organization: organization.id }, 'a scheduled message could not be sent');
        return commit([{ row, outcome: { reason: internal().message } }], directory.changedAt);
      },
    );
  }
}

const UNCHANGED: Unchanged<DueRow> = { is: sql`due.revision`, was: ({ revision }) => revision };

/**
 * Sends those that are still due and unchanged, in the order of their times.
 * @param asOf the last change of the directory that the plans include; a failure that was found with another directory waits for the next
 *   run
 * @returns how many were sent or have failed
 */
async function deliverWithin(
  app: Pick<AppContext, 'address'>,
  change: OptimisticChange,
  planned: readonly Planned[],
  asOf: number,
): Promise<number> {
  const { db, directory, append } = change;
  const organizationId = directory.organization.id;
  const rows = planned.map(({ row }) => row);
  const locked = await lockDue(db, 'scheduled_messages', organizationId, rows, UNCHANGED);
  const due = planned.filter(({ row }) => locked.has(row.id));
  const able = due.flatMap(({ row, outcome }) => ('ready' in outcome ? [{ row, ready: outcome.ready }] : []));
  const outcomes = await sendReady(
    change,
    able.map(({ ready }) => ready),
  );
  const sent: DueRow[] = [];
  const failures: Failure[] = [];
  for (const [place, { row }] of able.entries()) {
    const outcome = outcomes[place];
    if (outcome instanceof ApiError) failures.push({ row, reason: outcome.message });
    else sent.push(row);
  }
  for (const { row, outcome } of due) {
    if ('reason' in outcome && asOf === directory.changedAt) failures.push({ row, reason: outcome.reason });
  }
  for (const { user_id: userId, id } of sent) append(scheduledEvent({ op: 'remove', userId, id }));
  await deleteRows(db, 'scheduled_messages', organizationId, sent);
  await rememberDelivered(db, organizationId, sent);
  const failed = failures.map(({ row }) => row);
  await markFailed(db, 'scheduled_messages', organizationId, failed);
  for (const failure of failures) await tellFailed(app, change, failure);
  return sent.length + failures.length;
}

/** Notifies the author's clients, and the author unless the account is deactivated. */
async function tellFailed(
  { address }: Pick<AppContext, 'address'>,
  change: OptimisticChange,
  { row, reason }: Failure,
): Promise<void> {
  const { directory, append } = change;
  append(scheduledEvent({ op: 'update', userId: row.user_id, scheduled: { ...toScheduled(row), failed: true } }));
  const user = directory.user(row.user_id);
  if (user === undefined || !user.isActive) return;
  const noticeContext = noticeContextOf(directory, user, address.of(directory.organization.subdomain));
  await noticeDirectly(change, [{ user, content: failureText(row, reason) }], noticeContext);
}

/** The words of the public reference, to which links in clients refer. */
function failureText(row: DueRow, reason: string): string {
  const time = `<time:${row.deliver_at.toISOString().slice(0, 19)}Z>`;
  return [
    `The message you scheduled for ${time} was not sent because of the following error:`,
    `> ${reason.replaceAll(/\s+/g, ' ')}`,
    '[View scheduled messages](#scheduled)',
  ].join('\n\n');
}
