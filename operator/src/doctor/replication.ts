/**
 * The hosts of the database: `heddle doctor --cluster` asks each host of HEDDLE_DATABASE_URL itself. So it needs no right to see the statistics of
 * replication.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type DatabaseHost, databaseHosts } from '@heddle/server/config/database-url.ts';
import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';
import type { Config } from '@heddle/server/config.ts';
import { MAX_CLOCK_DIFFERENCE_SECONDS } from '@heddle/server/db/clock-difference.ts';
import { ignoreRefusedWrite } from '@heddle/server/db/failures.ts';
import pg from 'pg';
import { type DoctorCheck, type Found, failed, ok, reasonOf, skipped, warning } from './check.ts';
import { CLOCK_ADVICE } from './database.ts';
import { sizeOf } from './files.ts';

/** For a connection, and for each statement. */
const HOST_TIMEOUT_MS = timeoutOf(3_000);
/** A standby that needs longer to replay a change would make a failover longer, too. */
const REPLAY_TIMEOUT_MS = timeoutOf(3_000);
const REPLAY_INTERVAL_MS = 50;

/** The row of `server_facts` with the mark (`markPrimary`). */
const MARK_KEY = 'replication_mark';
const HAS_TABLES = `SELECT to_regclass('server_facts') IS NOT NULL AS has`;

interface OpenHost {
  readonly name: string;
  readonly client: pg.Client;
  readonly isStandby: boolean;
  readonly clockDifferenceSeconds: number;
}

/** What a standby has after it got time to follow. */
interface Progress {
  readonly hasReplayed: boolean;
  readonly hasReceived: boolean;
  readonly isPaused: boolean;
  readonly missingBytes: number;
}

export function replicationChecks({ databaseUrl }: Config): readonly DoctorCheck[] {
  const hosts = databaseUrl === null ? [] : (databaseHosts(databaseUrl) ?? []);
  return [{ name: 'replication', run: () => checkReplication(hosts) }];
}

async function checkReplication(hosts: readonly DatabaseHost[]): Promise<Found | readonly Found[]> {
  if (hosts.length === 0) return skipped('the embedded PostgreSQL has no standbys');
  if (hosts.length === 1) return skipped('HEDDLE_DATABASE_URL names one host, so its standbys are not known here');
  const opened = await Promise.all(hosts.map(openHost));
  const open = opened.filter((host): host is OpenHost => 'client' in host);
  try {
    const faults = [
      ...opened.filter((host): host is Found => !('client' in host)),
      ...open.flatMap(clockFault),
      ...(await examine(open)),
    ];
    return faults.length > 0 ? faults : ok(wellOf(open));
  } finally {
    await Promise.all(open.map(({ client }) => client.end().catch(() => undefined)));
  }
}

async function openHost({ name, url }: DatabaseHost): Promise<OpenHost | Found> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'heddle doctor',
    connectionTimeoutMillis: HOST_TIMEOUT_MS,
    query_timeout: HOST_TIMEOUT_MS,
  });
  // A broken connection makes the next statement fail.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const begunAt = Date.now();
    const { rows } = await client.query<{ standby: boolean; now: number }>(
      'SELECT pg_is_in_recovery() AS standby, extract(epoch FROM clock_timestamp())::float8 AS now',
    );
    const middle = (begunAt + Date.now()) / 2000;
    const [{ standby, now } = { standby: false, now: middle }] = rows;
    return { name, client, isStandby: standby, clockDifferenceSeconds: now - middle };
  } catch (error) {
    await client.end().catch(() => undefined);
    return failed(
      `the PostgreSQL ${name} cannot be used: ${reasonOf(error)}`,
      'Start it, or see in its log why it does not run. With Patroni, patronictl list shows all members.',
    );
  }
}

function clockFault({ name, clockDifferenceSeconds: difference }: OpenHost): readonly Found[] {
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_SECONDS) return [];
  const direction = difference > 0 ? 'ahead of' : 'behind';
  const message = `the clock of the PostgreSQL ${name} is ${Math.abs(difference).toFixed(1)} s ${direction} that of this machine`;
  return [failed(message, CLOCK_ADVICE)];
}

async function examine(open: readonly OpenHost[]): Promise<readonly Found[]> {
  const primaries = open.filter(({ isStandby }) => !isStandby);
  const standbys = open.filter(({ isStandby }) => isStandby);
  const [primary] = primaries;
  if (primary === undefined) {
    return [failed('no host of HEDDLE_DATABASE_URL is a primary', 'Promote a standby. With Patroni, see its log.')];
  }
  if (primaries.length > 1) {
    const names = primaries.map(({ name }) => name).join(' and ');
    const advice =
      'Stop the older one at once. Heddle uses the one that was promoted last. Make a standby of the other.';
    return [failed(`${names} all accept writes`, advice)];
  }
  const isMarked = await markPrimary(primary);
  const { rows } = await primary.client.query<{ names: string; position: string }>(
    `SELECT current_setting('synchronous_standby_names') AS names, pg_logical_emit_message(false, 'heddle', '')::text AS position`,
  );
  const [{ names, position } = { names: '', position: '0/0' }] = rows;
  const unsafe = warning(
    'no commit waits for a standby, so a failover can lose acknowledged messages',
    'Set synchronous_standby_names of PostgreSQL, for example to ANY 1 (b, c).',
  );
  const late = await Promise.all(
    standbys.map((standby) => examineStandby(standby, isMarked ? primary : null, position)),
  );
  return [...(names === '' ? [unsafe] : []), ...late.flat()];
}

/**
 * Writes a new mark into the database, which only those standbys get that follow. A former primary can have a later position in a WAL of its own.
 * @returns false: there is no mark, because Heddle has not started on this database yet, or because it accepts no changes, for example on a full disk
 */
async function markPrimary({ client }: OpenHost): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(HAS_TABLES);
  if (rows[0]?.has !== true) return false;
  // The commit of a mark does not wait for standbys, which may be what is broken.
  await client.query('SET synchronous_commit = local');
  try {
    await client.query(
      `INSERT INTO server_facts (key, value) VALUES ('${MARK_KEY}', gen_random_uuid())
           ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );
  } catch (error) {
    ignoreRefusedWrite(error);
    return false;
  }
  return true;
}

async function markOf({ client }: OpenHost): Promise<string | null> {
  const { rows } = await client.query<{ has: boolean }>(HAS_TABLES);
  if (rows[0]?.has !== true) return null;
  const { rows: marks } = await client.query<{ value: string }>(
    `SELECT value FROM server_facts WHERE key = '${MARK_KEY}'`,
  );
  return marks[0]?.value ?? null;
}

/**
 * @param marked the primary, if it has a mark. Another doctor may write a newer one meanwhile.
 * @param position of a change of the primary that was made just now
 */
async function examineStandby(standby: OpenHost, marked: OpenHost | null, position: string): Promise<readonly Found[]> {
  const deadline = performance.now() + REPLAY_TIMEOUT_MS;
  for (;;) {
    const progress = await progressOf(standby, position);
    const follows = marked === null || (progress.hasReplayed && (await markOf(marked)) === (await markOf(standby)));
    if (progress.hasReplayed && follows) return [];
    if (performance.now() > deadline)
      return [progress.hasReplayed ? strayStandby(standby) : lateStandby(standby.name, progress)];
    await delay(REPLAY_INTERVAL_MS);
  }
}

function strayStandby({ name }: OpenHost): Found {
  return failed(
    `the standby ${name} does not follow the primary: it has changes that the primary lacks`,
    'It was a primary before. Make a standby of it again, with pg_rewind or a new base backup. With Patroni, run patronictl reinit for it.',
  );
}

async function progressOf({ client }: OpenHost, position: string): Promise<Progress> {
  const { rows } = await client.query<Progress>(
    `SELECT coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS "hasReplayed",
            coalesce(pg_last_wal_receive_lsn() >= $1::pg_lsn, false) AS "hasReceived",
            pg_is_wal_replay_paused() AS "isPaused",
            greatest(pg_wal_lsn_diff($1::pg_lsn, coalesce(pg_last_wal_replay_lsn(), '0/0')), 0)::float8 AS "missingBytes"`,
    [position],
  );
  const [progress] = rows;
  if (progress === undefined) throw new Error('PostgreSQL sent no row');
  return progress;
}

function lateStandby(name: string, { hasReceived, isPaused, missingBytes }: Progress): Found {
  const lag = `is ${sizeOf(missingBytes)} behind the primary`;
  if (isPaused)
    return failed(`the standby ${name} ${lag}: its replay is paused`, 'Run SELECT pg_wal_replay_resume() there.');
  if (hasReceived) {
    const advice = 'Its disk is too slow, or a long query stops the replay: see pg_stat_activity there.';
    return failed(`the standby ${name} ${lag}: it receives changes, and does not replay them in time`, advice);
  }
  return failed(
    `the standby ${name} ${lag}: it does not receive changes`,
    'See its log, its primary_conninfo, and pg_stat_replication on the primary. With Patroni, run patronictl reinit for it.',
  );
}

function wellOf(open: readonly OpenHost[]): string {
  const primary = open.find(({ isStandby }) => !isStandby)?.name;
  const standbys = open.filter(({ isStandby }) => isStandby).map(({ name }) => name);
  return `${primary} is the primary, and ${standbys.join(' and ')} ${standbys.length === 1 ? 'has' : 'have'} replayed its last change`;
}
