/**
 * The timeouts of the database in milliseconds, each with its reason (ARCHITECTURE.md, "Bounds"). They
 * keep one promise: a request that cannot be served gets an error within two seconds, whatever happens to the database
 * or to another process. They are not settings, because they depend on each other and not on the machine.
 */

/** The timeouts of one kind of connection. */
export interface Waits {
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
export const CHANGE_PAUSE = 700;

/**
 * Longer than `CHANGE_PAUSE`, so that a wait for a paused transaction succeeds. Waiters form a queue: each waits for
 * its predecessor, then for the row. Both waits together are within two seconds.
 */
export const LOCK = 950;

/**
 * For requests. Their statements take milliseconds. A statement of seconds serves no user and slows down all others.
 */
export const REQUESTS: Waits = { statement: 5_000, lock: LOCK, pause: CHANGE_PAUSE };

/**
 * For a transaction that acquires the organization lock first: one request may subscribe hundreds of users to hundreds
 * of channels. Meanwhile other transactions may reach their lock timeout and get an error.
 */
export const LOCKED_CHANGE: Pick<Waits, 'statement'> = { statement: 10_000 };

/**
 * For loading a directory, and for an initial state with all unread messages: long reads from one snapshot. They hold
 * no locks, so a pause does not block others. Between their statements, the process may be busy with a million rows.
 */
export const SNAPSHOT: Pick<Waits, 'statement' | 'pause'> = { statement: 20_000, pause: 10_000 };

/** For a request's reads from one snapshot, with work between them. Each statement has the timeout of a request. */
export const READING: Pick<Waits, 'statement' | 'pause'> = { statement: REQUESTS.statement, pause: SNAPSHOT.pause };

/**
 * For jobs. In its own transaction, a job has the timeouts of its kind (`withinSeconds`), and may not acquire the
 * organization lock. Outside of it (retention, collecting queues), a statement deletes up to 50,000 rows, which no
 * request waits for.
 */
export const JOBS: Waits = { statement: 60_000, lock: LOCK, pause: CHANGE_PAUSE };

/**
 * For migrations. Building an index on a large table takes minutes, and a starting process waits for the migrations of
 * another. A migration that needs an exclusive table lock blocks all requests behind it, but at most as long as the
 * longest job.
 */
export const MIGRATIONS: Waits = { statement: 3_600_000, lock: 300_000, pause: 60_000 };

/**
 * For backups and restores. Copying a table of hundreds of millions of rows takes hours. A backup waits for its lock
 * while a job removes files (`withinSeconds` of that job). A restore fills an empty database alone.
 */
export const BACKUP: Waits = { statement: 86_400_000, lock: 330_000, pause: 600_000 };

/**
 * For the snapshot of a data export. It blocks no request, and a slow storage may pause it between two statements.
 */
export const EXPORT: Pick<Waits, 'statement' | 'pause'> = { statement: 60_000, pause: 60_000 };

/** How long that snapshot lasts at most: less than the lock timeout of a migration, which may wait for it. */
export const LONGEST_EXPORT_SNAPSHOT = 240_000;

/**
 * The wait for a connection of the pool, new or returned, while the database responds but is busy. It is longer than
 * two seconds, because the promise is about a database that does not respond. In that case, the health check
 * (`pulse.ts`) rejects the whole queue at once.
 */
export const CONNECTION = 5_000;

/** How long the pool opens no connections after PostgreSQL refused one for lack of resources. */
export const NO_MORE_CONNECTIONS_FOR = 5_000;

/** The longest queue for a connection. Further requests are refused at once, which bounds the memory of the queue. */
export const MOST_IN_LINE = 2_000;

/**
 * The client's timeout, added to the longest statement timeout, for a single connection that died silently. It must not
 * expire just because a response is read late: the client would get an error that the result is unknown.
 */
export const UNANSWERED = 5_000;

/** How often the health check looks for finished requests. Twice this plus `PULSE` is within two seconds. */
export const PULSE_EVERY = 250;

/** The timeout of the health query. */
export const PULSE = 1_000;

/**
 * For connections and responses in the background: bus, epoch, supervisor, command line. No request waits for them, and
 * a recovering database may need seconds.
 */
export const BACKGROUND = 10_000;

/**
 * When TCP keep-alives begin on a silent connection. With Node's and PostgreSQL's settings (`tcp_keepalives_…`), a
 * connection to a failed machine ends within half a minute. A local socket needs none.
 */
export const KEEP_ALIVE = 10_000;

/**
 * How long a response of PostgreSQL may stay unacknowledged on a TCP connection whose other end is dead or stopped:
 * `tcp_user_timeout`.
 */
export const UNREAD = 20_000;

/**
 * How often PostgreSQL checks that the client of a running statement is still connected:
 * `client_connection_check_interval`.
 */
export const CLIENT_CHECK = 1_000;

/**
 * The longest queue of transactions of one organization, waiting for a turn or for a batch. Further ones are refused at
 * once.
 */
export const MOST_CHANGES_WAITING = 5_000;
