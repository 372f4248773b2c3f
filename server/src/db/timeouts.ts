/**
 * The timeouts of the database in milliseconds, each with its reason (ARCHITECTURE.md, "Bounds"). They
 * keep one promise: a request that cannot be served gets an error within two seconds, whatever happens to the database
 * or to another process. They are not settings, because they depend on each other.
 * `HEDDLE_TIMEOUT_FACTOR` multiplies all of them on a slow machine, and the two seconds as well. Intervals and pauses have no factor.
 */
import { timeoutOf } from '../config/timeout-factor.ts';

/** The timeouts of one kind of connection. */
export interface Timeouts {
  /** The longest duration of a statement: `statement_timeout`. */
  readonly statement: number;
  /** The longest wait for a lock: `lock_timeout`. */
  readonly lock: number;
  /**
   * The longest pause between two statements of a transaction, after which PostgreSQL ends it:
   * `idle_in_transaction_session_timeout`.
   */
  readonly pause: number;
}

/**
 * How long a process that stops during a transaction, or whose machine fails silently, can keep its locks. Other
 * processes get no message about it. It is long enough for a garbage collection or a busy event loop. If PostgreSQL
 * ends a transaction wrongly, the transaction is repeated.
 */
export const TRANSACTION_PAUSE_TIMEOUT_MS = timeoutOf(700);

/**
 * Longer than `TRANSACTION_PAUSE_TIMEOUT_MS`, so that a wait for a paused transaction succeeds. Waiters form a queue: each waits for
 * its predecessor, then for the row. Both waits together are within two seconds.
 */
export const LOCK_TIMEOUT_MS = timeoutOf(950);

/**
 * For requests. Their statements take milliseconds. A statement of seconds serves no user and slows down all others.
 */
export const REQUEST_TIMEOUTS: Timeouts = {
  statement: timeoutOf(5_000),
  lock: LOCK_TIMEOUT_MS,
  pause: TRANSACTION_PAUSE_TIMEOUT_MS,
};

/**
 * For a transaction that acquires the organization lock first: one request may subscribe hundreds of users to hundreds
 * of channels. Meanwhile other transactions may reach their lock timeout and get an error.
 */
export const EXCLUSIVE_TIMEOUTS: Pick<Timeouts, 'statement'> = { statement: timeoutOf(10_000) };

/**
 * For loading a directory, and for an initial state with all unread messages: long reads from one snapshot. They hold
 * no locks, so a pause does not block others. Between their statements, the process may be busy with a million rows.
 */
export const SNAPSHOT_TIMEOUTS: Pick<Timeouts, 'statement' | 'pause'> = {
  statement: timeoutOf(20_000),
  pause: timeoutOf(10_000),
};

/** For a request's reads from one snapshot, with work between them. Each statement has the timeout of a request. */
export const READ_TIMEOUTS: Pick<Timeouts, 'statement' | 'pause'> = {
  statement: REQUEST_TIMEOUTS.statement,
  pause: SNAPSHOT_TIMEOUTS.pause,
};

/**
 * For a read that a standby serves in place of the primary. A statement or a pause delays the replay of the standby, and so its promotion, if
 * the replay removes rows that the snapshot sees. If it takes longer, the primary serves the read, with its own timeouts.
 */
export const STANDBY_READ_TIMEOUTS: Timeouts = {
  statement: timeoutOf(2_000),
  lock: LOCK_TIMEOUT_MS,
  pause: timeoutOf(2_000),
};

/**
 * After this time, such a read begins no statement any more, and the primary serves it. So a read of many statements ends, at the latest one
 * statement and one pause later.
 */
export const STANDBY_READ_DURATION_MS = timeoutOf(4_000);

/** How long a standby is not used after it failed or was far behind. */
export const STANDBY_RETRY_INTERVAL_MS = 5_000;

/**
 * For jobs. In its own transaction, a job has the timeouts of its kind (`withinSeconds`), and may not acquire the
 * organization lock. A long job has no transaction. Outside of it (retention, collecting queues), a statement deletes up to 50,000 rows, which no
 * request waits for.
 */
export const JOB_TIMEOUTS: Timeouts = {
  statement: timeoutOf(60_000),
  lock: LOCK_TIMEOUT_MS,
  pause: TRANSACTION_PAUSE_TIMEOUT_MS,
};

/**
 * For migrations. Building an index on a large table takes minutes, and a starting process waits for the migrations of
 * another. A migration that needs an exclusive table lock blocks all requests behind it, but at most as long as the
 * longest job that has a transaction, or as the snapshot of a data export.
 */
export const MIGRATION_TIMEOUTS: Timeouts = {
  statement: timeoutOf(3_600_000),
  lock: timeoutOf(300_000),
  pause: timeoutOf(60_000),
};

/**
 * For backups and restores. Copying a table of hundreds of millions of rows takes hours. A backup waits for its lock
 * while a job removes files (`withinSeconds` of that job). A restore fills an empty database alone.
 */
export const BACKUP_TIMEOUTS: Timeouts = {
  statement: timeoutOf(86_400_000),
  lock: timeoutOf(330_000),
  pause: timeoutOf(600_000),
};

/**
 * For the snapshot of a data export. It blocks no request, and a slow storage may pause it between two statements.
 */
export const EXPORT: Pick<Timeouts, 'statement' | 'pause'> = { statement: timeoutOf(60_000), pause: timeoutOf(60_000) };

/**
 * How long that snapshot lasts. The statement that runs then may end after it. Both together are less than the lock timeout of a migration,
 * which may wait for the snapshot.
 */
export const EXPORT_SNAPSHOT_TIMEOUT_MS = timeoutOf(230_000);

/**
 * The wait for a connection of the pool, new or returned, while the database responds but is busy. It is longer than
 * two seconds, because the promise is about a database that does not respond. In that case, the health check
 * (`health-check.ts`) rejects the whole queue at once.
 */
export const CONNECTION_WAIT_TIMEOUT_MS = timeoutOf(5_000);

/** How long the pool opens no connections after PostgreSQL refused one for lack of resources. */
export const CONNECTION_REFUSAL_BACKOFF_MS = 5_000;

/** The longest queue for a connection. Further requests are refused at once, which bounds the memory of the queue. */
export const MAX_WAITING_CONNECTION_REQUESTS = 2_000;

/**
 * The client's timeout, added to the longest statement timeout, for a single connection that died silently. It must not
 * expire just because a response is read late: the client would get an error that the result is unknown.
 */
export const RESPONSE_GRACE_MS = timeoutOf(5_000);

/** How often the health check looks for finished requests. Twice this plus `HEALTH_CHECK_TIMEOUT_MS` is within two seconds. */
export const HEALTH_CHECK_INTERVAL_MS = 250;

/** The timeout of the health query. */
export const HEALTH_CHECK_TIMEOUT_MS = timeoutOf(1_000);

/**
 * How long a commit may wait for a synchronous standby. No timeout of PostgreSQL counts during a commit. With two
 * intervals of the health check it is within two seconds.
 */
export const COMMIT_TIMEOUT_MS = timeoutOf(1_000);

/** A connection that is in use for longer may be waiting for a standby. */
export const COMMIT_DOUBT_MS = timeoutOf(500);

/**
 * How long a host may take to say whether it accepts writes, if the URL names several hosts. It is less than `HEALTH_CHECK_TIMEOUT_MS`, so
 * that a health check can search and connect.
 */
export const PRIMARY_SEARCH_TIMEOUT_MS = timeoutOf(750);

/** How often a process asks the other hosts whether one was promoted, while the known primary responds. */
export const NEWER_PRIMARY_INTERVAL_MS = 5_000;

/**
 * For connections and responses in the background: bus, epoch, supervisor, command line. No request waits for them, and
 * a recovering database may need seconds.
 */
export const BACKGROUND_TIMEOUT_MS = timeoutOf(10_000);

/**
 * When TCP keep-alives begin on a silent connection. With Node's and PostgreSQL's settings (`tcp_keepalives_…`), a
 * connection to a failed machine ends within half a minute. A local socket needs none.
 */
export const KEEP_ALIVE_DELAY_MS = 10_000;

/**
 * How long a response of PostgreSQL may stay unacknowledged on a TCP connection whose other end is dead or stopped:
 * `tcp_user_timeout`.
 */
export const UNACKNOWLEDGED_TIMEOUT_MS = timeoutOf(20_000);

/**
 * How often PostgreSQL checks that the client of a running statement is still connected:
 * `client_connection_check_interval`.
 */
export const CLIENT_CHECK_INTERVAL_MS = 1_000;

/**
 * The longest queue of transactions of one organization, waiting for a turn or for a batch. Further ones are refused at
 * once.
 */
export const MAX_WAITING_TRANSACTIONS = 5_000;
