/** Limits of logins, and of requests for passwords and accounts. They hold for all processes of the server together. */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { isUnavailable, refusesWrites } from '../../db/failures.ts';
import type { Db } from '../../db/schema.ts';
import {
  type AttemptLimiter,
  defaultLimitRules,
  type LimitResult,
  type LimitRule,
  RateLimiter,
} from '../../http/limits/limits.ts';

/**
 * One rule applied to many keys, with windows in the table `attempt_windows`. Each call is one statement. It does not wait for the
 * disk or a standby: a crash of the database forgets the last half a second.
 *
 * If the database refuses changes, for example because its disk is full, people can still log in. Then the windows are in the memory
 * of each process, so an attacker has the limit once more at each process, and not more.
 */
export class SharedLimiter implements AttemptLimiter {
  readonly #db: Db;
  readonly #name: string;
  readonly #rule: LimitRule;
  readonly #whileRefused: RateLimiter;

  /** @param name unique among the limiters of the server. It is stored, so it must never change */
  constructor(db: Db, name: string, rule: LimitRule) {
    this.#db = db;
    this.#name = name;
    this.#rule = rule;
    this.#whileRefused = new RateLimiter(rule);
  }

  async take(key: string): Promise<LimitResult> {
    const { requests, windowSeconds } = this.#rule;
    try {
      // Index: the primary key. One more than the limit means that the request was refused.
      const { rows } = await sql<{ count: number; secondsLeft: number }>`
        INSERT INTO attempt_windows AS known (key, count, ends_at)
        VALUES (${this.#keyOf(key)}, 1, now() + make_interval(secs => ${windowSeconds}))
        ON CONFLICT (key) DO UPDATE
           SET count = CASE WHEN known.ends_at <= now() THEN 1 ELSE least(known.count, ${requests}::integer) + 1 END,
               ends_at = CASE WHEN known.ends_at <= now() THEN excluded.ends_at ELSE known.ends_at END
        RETURNING count, extract(epoch FROM ends_at - now())::float8 AS "secondsLeft",
                  set_config('synchronous_commit', 'off', true)`.execute(this.#db);
      const { count, secondsLeft } = rows[0] ?? { count: 0, secondsLeft: 0 };
      const remaining = Math.max(0, requests - count);
      return { isAllowed: count <= requests, limit: requests, windowSeconds, remaining, secondsLeft };
    } catch (error) {
      if (!isRefused(error)) throw error;
      return this.#whileRefused.take(key);
    }
  }

  async giveBack(key: string): Promise<void> {
    this.#whileRefused.giveBack(key);
    await sql`
      UPDATE attempt_windows SET count = greatest(0, least(count, ${this.#rule.requests}::integer) - 1)
       WHERE key = ${this.#keyOf(key)}
      RETURNING set_config('synchronous_commit', 'off', true)`
      .execute(this.#db)
      .catch(ignoreOutage);
  }

  async forget(key: string): Promise<void> {
    this.#whileRefused.forget(key);
    await sql`
      DELETE FROM attempt_windows WHERE key = ${this.#keyOf(key)}
      RETURNING set_config('synchronous_commit', 'off', true)`
      .execute(this.#db)
      .catch(ignoreOutage);
  }

  /** The table contains no address and no name. */
  #keyOf(key: string): Buffer {
    return hash('sha256', `${this.#name}\n${key}`, 'buffer');
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && refusesWrites(error.code);
}

/** What is not given back ends with its window. A login must not fail for that. */
function ignoreOutage(error: unknown): void {
  if (!isRefused(error) && !isUnavailable(error)) throw error;
}

/** The limits of failed logins. */
export function loginLimits(db: Db): Readonly<Record<'loginAccount' | 'loginAddress', AttemptLimiter>> {
  return {
    loginAccount: new SharedLimiter(db, 'loginAccount', defaultLimitRules.loginAccount),
    loginAddress: new SharedLimiter(db, 'loginAddress', defaultLimitRules.loginAddress),
  };
}

/** Deletes windows that have ended. A window lasts an hour at most. Index: `attempt_windows_by_end`. */
export async function collectAttempts({ db }: { readonly db: Db }): Promise<void> {
  await sql`DELETE FROM attempt_windows WHERE ends_at <= now()`.execute(db);
}
