/**
 * How long anything may wait for the database: every figure, in milliseconds, with its reason (ARCHITECTURE.md, "Every wait has a
 * bound"). They follow from one promise: who cannot be served is told so within two seconds, whatever has become of the database or
 * of another process. They are no settings: each leans on others, and none depends on the machine.
 */

/** What one kind of connection may wait for. */
export interface Waits {
  /** For how long a statement may run: `statement_timeout`. */
  readonly statement: number;
  /** For how long it may wait for a lock of somebody's: `lock_timeout`. */
  readonly lock: number;
  /** For how long a transaction may send nothing before PostgreSQL ends it: `idle_in_transaction_session_timeout`. */
  readonly pause: number;
}

/**
 * A process that is stopped in the middle of a change, or whose machine is gone without a word, keeps what it has locked for so long;
 * nobody else hears of it. Long enough for a garbage collection and a busy loop; a change that was taken for one that paused is done
 * again.
 */
export const CHANGE_PAUSE = 700;

/**
 * More than a pause, so that waiting behind one who pauses succeeds. Who is not the first to wait for a row waits twice: for its turn, and
 * for the row. That, too, is within the promise.
 */
export const LOCK = 950;

/** Of a server's requests: such a statement takes milliseconds; one of seconds serves nobody and costs everybody. */
export const REQUESTS: Waits = { statement: 5_000, lock: LOCK, pause: CHANGE_PAUSE };

/**
 * A change that takes the log first: one request may subscribe hundreds to hundreds of channels. As long as it works others are refused
 * when their wait for the lock ends.
 */
export const LOCKED_CHANGE: Pick<Waits, 'statement'> = { statement: 10_000 };

/**
 * Loading a directory, and the initial state with all that is unread: long reads from one snapshot. They lock nothing, so that a pause
 * of theirs costs nobody anything; and between their statements the process may be busy with a million rows.
 */
export const SNAPSHOT: Pick<Waits, 'statement' | 'pause'> = { statement: 20_000, pause: 10_000 };

/** A request's reads from one snapshot, and what is put together between them: as `SNAPSHOT`, in the time of a request's statement. */
export const READING: Pick<Waits, 'statement' | 'pause'> = { statement: REQUESTS.statement, pause: SNAPSHOT.pause };

/**
 * Of jobs. What a job does in its own transaction has the bounds of its kind (`withinSeconds`), and may not take the log; what it
 * does outside (retention, collecting queues) deletes up to 50,000 rows a statement, and holds nobody's rows meanwhile.
 */
export const JOBS: Waits = { statement: 60_000, lock: LOCK, pause: CHANGE_PAUSE };

/**
 * Of migrations: an index over a large table is built in minutes, and a process that starts waits for another's migrations. But one that
 * needs a table for itself makes everybody wait behind it: no longer than the longest job.
 */
export const MIGRATIONS: Waits = { statement: 3_600_000, lock: 300_000, pause: 60_000 };

/**
 * For a connection of the pool, one's own or one that somebody gives back: the database answers, and is busy. Longer than the promise,
 * which is for one that does not answer: then those in line are told at once (`pulse.ts`).
 */
export const CONNECTION = 5_000;

/** So many may be in line for a connection; more are refused at once. What they hold in memory is bounded so. */
export const MOST_IN_LINE = 2_000;

/**
 * The client's own bound beyond the longest that PostgreSQL was given, in case that one connection died without a word while others
 * live. Reading an answer late must not be taken for it: it would be told that nobody knows what became of the change.
 */
export const UNANSWERED = 5_000;

/** How often it is asked whether those that wait get anything at all: twice this, and `PULSE` below, are within the promise. */
export const PULSE_EVERY = 250;

/** A database that does not answer the smallest question in this time serves nobody. */
export const PULSE = 1_000;

/**
 * For a new connection or an answer in the background (bus, epoch, supervisor, the command line): nobody's request waits, and a
 * database that has just begun to recover may take some seconds.
 */
export const BACKGROUND = 10_000;

/**
 * TCP keep-alives begin after this long without traffic, so that a connection whose other end is gone without a word ends within half a
 * minute. Node and PostgreSQL's `tcp_keepalives_…` do the rest; a socket on the same machine needs none.
 */
export const KEEP_ALIVE = 10_000;

/** For how long PostgreSQL's answer may lie unread at a TCP connection that is dead or whose process has stopped: `tcp_user_timeout`. */
export const UNREAD = 20_000;

/** How often PostgreSQL looks whether the client of a running statement is still there: `client_connection_check_interval`. */
export const CLIENT_CHECK = 1_000;

/** All that may be waiting its turn to change one organization, or gathering to be committed together; more are refused at once. */
export const MOST_CHANGES_WAITING = 5_000;
