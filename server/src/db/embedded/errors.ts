/** What can go wrong with the embedded PostgreSQL, as one list. `message` is written for the operator and says what to do. */
export type EmbeddedPostgresErrorCode =
  | 'UNSUPPORTED_PLATFORM'
  | 'BINARIES_UNUSABLE'
  | 'NO_UNPRIVILEGED_USER'
  | 'DATA_DIRECTORY_UNUSABLE'
  | 'DATA_DIRECTORY_IN_USE'
  | 'WRONG_MAJOR_VERSION'
  | 'DISK_FULL'
  | 'INITIALIZATION_FAILED'
  | 'START_FAILED'
  | 'UNAVAILABLE';

export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Another live process holds the data directory. */
export class DataDirectoryInUseError extends EmbeddedPostgresError {
  override readonly name = 'DataDirectoryInUseError';
  /** The holder's process id; null when the holder lives where we cannot see it (another container). */
  readonly pid: number | null;

  constructor(dataDirectory: string, pid: number | null) {
    super(
      'DATA_DIRECTORY_IN_USE',
      pid === null
        ? `The data directory ${dataDirectory} is in use by a process that is not visible from here, ` +
            'perhaps in another container. Stop it, or give this server its own HEDDLE_DATA_DIR.'
        : `The data directory ${dataDirectory} is in use by process ${pid}. ` +
            'Stop that process, or give this server its own HEDDLE_DATA_DIR.',
    );
    this.pid = pid;
  }
}

/** The cluster on disk was written by another major version of PostgreSQL, whose files ours cannot read. */
export class WrongMajorVersionError extends EmbeddedPostgresError {
  override readonly name = 'WrongMajorVersionError';
  readonly found: string;
  readonly expected: string;

  constructor(clusterDirectory: string, found: string, expected: string) {
    super(
      'WRONG_MAJOR_VERSION',
      `The cluster in ${clusterDirectory} was written by PostgreSQL ${found}; this version of Heddle brings ` +
        `PostgreSQL ${expected}, which cannot read it. Nothing was changed. Either run the version of Heddle that ` +
        `wrote it, or dump the database with PostgreSQL ${found}'s pg_dump, move ${clusterDirectory} away, start ` +
        'Heddle once, stop it, and restore the dump; or upgrade the directory with pg_upgrade.',
    );
    this.found = found;
    this.expected = expected;
  }
}

/** The error for a file system without room; `details` is what PostgreSQL or the system said. */
export function diskFull(directory: string, details: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'DISK_FULL',
    `No space is left on the disk that holds ${directory}. Nothing that was acknowledged is lost: make room and ` +
      `PostgreSQL starts again.\n${details.trim()}`,
  );
}

/** The system's codes for a directory that this user may not write, or nobody. */
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS']);

/** What the system refused while a data directory was prepared, as an error for the operator. Ours pass unchanged. */
export function asEmbeddedPostgresError(dataDirectory: string, error: unknown): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  if (codeOf(error) === 'ENOSPC') return diskFull(dataDirectory, reasonOf(error));
  if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOTDIR') {
    return new EmbeddedPostgresError(
      'DATA_DIRECTORY_UNUSABLE',
      `The data directory ${dataDirectory} is a file, or is below one. Set HEDDLE_DATA_DIR to a directory.`,
      { cause: error },
    );
  }
  if (NOT_WRITABLE.has(codeOf(error) ?? '')) {
    return new EmbeddedPostgresError(
      'DATA_DIRECTORY_UNUSABLE',
      `Cannot write to the data directory ${dataDirectory} (${codeOf(error)}). Make it writable for the user that runs ` +
        'Heddle, or set HEDDLE_DATA_DIR to another directory.',
      { cause: error },
    );
  }
  return new EmbeddedPostgresError(
    'DATA_DIRECTORY_UNUSABLE',
    `Cannot use the data directory ${dataDirectory} (${reasonOf(error)}). It must be writable for this user, and on a ` +
      'file system that supports file locks. Set HEDDLE_DATA_DIR to another one.',
    { cause: error },
  );
}

/** The reason in a caught value, in one line. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's error code (`ENOENT`, `EACCES`, …) or PostgreSQL's SQLSTATE, when the value carries one. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
