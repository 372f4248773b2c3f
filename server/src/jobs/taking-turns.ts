/** Kinds of jobs whose accounts take turns: one job of an account at a time, and the account that waited longest comes first. */
import { sql } from 'kysely';
import type { AnyJobKind } from './kind.ts';

/** Accounts that are remembered for each kind. Others count as those that waited longest. */
const MAX_SERVED_ACCOUNTS = 1000;

/** Waiting jobs of the kind that a claim looks at, the oldest. An import adds a hundred thousand at once. */
const MAX_WAITING_JOBS = 5000;

/** What a claim must know. */
export interface Turns {
  /** The field of the payload that names the account. */
  readonly field: string;
  /** Those with a running job. */
  readonly busy: readonly string[];
  /** The one that was served last comes last. */
  readonly served: readonly string[];
}

interface Turning {
  readonly kind: string;
  readonly organizationId: number | null;
  readonly payload: unknown;
}

/** The turns in one process. */
export class TurnTaking {
  readonly #served = new Map<string, Set<string>>();

  /** @param running all jobs of this process that run */
  turnsOf({ name, turnsBy }: AnyJobKind, running: Iterable<Turning>): Turns | undefined {
    if (turnsBy === undefined) return undefined;
    const own = [...running].filter(({ kind }) => kind === name);
    return {
      field: turnsBy,
      busy: own.map((job) => accountOf(job, turnsBy)),
      served: [...(this.#served.get(name) ?? [])],
    };
  }

  begins(kind: AnyJobKind, job: Turning): void {
    if (kind.turnsBy === undefined) return;
    const served = this.#served.get(kind.name) ?? new Set();
    const account = accountOf(job, kind.turnsBy);
    served.delete(account);
    served.add(account);
    const [oldest] = served;
    if (served.size > MAX_SERVED_ACCOUNTS && oldest !== undefined) served.delete(oldest);
    this.#served.set(kind.name, served);
  }
}

function accountOf({ organizationId, payload }: Turning, field: string): string {
  const value = (payload as Readonly<Record<string, unknown>>)[field];
  return `${organizationId ?? ''}/${value ?? ''}`;
}

/**
 * In SQL: whether the job can be next, and the order of the jobs. It can be next if it is among the oldest of `known.kind`, and its account
 * has no running job. Index: `jobs_due`.
 */
export function turnInSql(turns: Turns | undefined) {
  if (turns === undefined) return { isFree: sql`true`, order: sql`due_at, id` };
  const oldest = sql`
    SELECT waiting.id FROM jobs waiting
     WHERE waiting.kind = known.kind AND waiting.failed_at IS NULL AND waiting.due_at <= now()
     ORDER BY waiting.due_at, waiting.id LIMIT ${MAX_WAITING_JOBS}`;
  const account = sql`concat(jobs.organization_id, '/', jobs.payload->>${turns.field})`;
  return {
    isFree: sql`jobs.id = ANY (ARRAY(${oldest})) AND ${account} <> ALL (${turns.busy}::text[])`,
    order: sql`array_position(${turns.served}::text[], ${account}) NULLS FIRST, due_at, id`,
  };
}
