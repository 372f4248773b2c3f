import type { Db, DbTransaction } from '../../db/schema.ts';
import { inRepeatedTransaction } from '../../db/transaction.ts';
import { quietUsers, silences } from '../../domain/notifications/quiet-hours/queries.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { DueNow, ScheduledKind } from '../../jobs/scheduler.ts';
import { queueMails } from '../../mail/kind.ts';
import {
  allowMails,
  type Batch,
  dueNow,
  type Held,
  hold,
  isDirect,
  lockDue,
  postpone,
  remove,
  withUnread,
} from './batches.ts';
import { missedMail } from './mail-kind.ts';

/**
 * Turns due batches into mails. One transaction removes a batch and queues its mail, so each batch becomes one mail, also
 * if a process is killed or several take part.
 */
export class MissedMails implements ScheduledKind {
  readonly name = 'mails about missed messages';
  readonly #app: Pick<AppContext, 'pool' | 'jobs' | 'log'>;

  constructor(app: Pick<AppContext, 'pool' | 'jobs' | 'log'>) {
    this.#app = app;
  }

  look(db: Db): Promise<DueNow> {
    return dueNow(db);
  }

  async run(organizationId: number, signal: AbortSignal): Promise<boolean> {
    const { pool, jobs, log } = this.#app;
    for (let isAnythingDone = false; ; isAnythingDone = true) {
      if (signal.aborted) return isAnythingDone;
      const { handled, postponed } = await inRepeatedTransaction(pool, (db) => queueDue(db, organizationId));
      if (handled === 0) return isAnythingDone;
      jobs.wake();
      if (postponed > 0) log.warn({ organization: organizationId, postponed }, 'too many mails: some wait for an hour');
    }
  }
}

async function queueDue(db: DbTransaction, organizationId: number) {
  const locked = await lockDue(db, organizationId);
  if (locked.length === 0) return { handled: 0, postponed: 0 };
  const { held, due } = await withoutQuiet(db, organizationId, locked);
  await hold(db, organizationId, held);
  const { now, later } = await allowMails(db, organizationId, await withUnread(db, organizationId, due));
  const waiting = new Set(later);
  await remove(
    db,
    organizationId,
    due.filter((batch) => !waiting.has(batch)),
  );
  await postpone(db, organizationId, later);
  await queueMails(db, missedMail, { organizationId, abouts: now.map(aboutOf) });
  return { handled: locked.length, postponed: later.length };
}

/** Mails wait for the end of quiet hours. */
async function withoutQuiet(db: DbTransaction, organizationId: number, batches: readonly Batch[]) {
  const quiet = await quietUsers(db, organizationId, [...new Set(batches.map(({ user_id }) => user_id))]);
  const [held, due]: [Held[], Batch[]] = [[], []];
  for (const batch of batches) {
    const own = quiet.get(batch.user_id);
    if (silences(own, isDirect(batch))) held.push({ batch, until: own.until });
    else due.push(batch);
  }
  return { held, due };
}

/** A message can be in a batch twice: an edit can mention the user again. */
function aboutOf({ user_id: userId, message_ids: ids, causes, group_ids: groupIds, left_out: leftOut }: Batch) {
  const messages = new Map(
    ids.map((id, index) => [id, { id, cause: causes[index] ?? '', groupId: groupIds[index] ?? null }]),
  );
  return { userId, messages: [...messages.values()], leftOut };
}
