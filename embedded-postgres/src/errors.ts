/** The failures of this package. The message of the error tells the operator what to do. */
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
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Another process holds the data directory. `pid` is null if we cannot see that process, for example in another container. */
export function inUse(dataDirectory: string, pid: number | null): EmbeddedPostgresError {
  const holder =
    pid === null ? 'a process that is not visible from here, perhaps in another container' : `process ${pid}`;
  return new EmbeddedPostgresError(
    'DATA_DIRECTORY_IN_USE',
    `The data directory ${dataDirectory} is in use by ${holder}. Stop that process, or set HEDDLE_DATA_DIR to another directory.`,
  );
}

/** Another major version of PostgreSQL wrote the cluster. Ours cannot read its files. */
export function wrongMajorVersion(clusterDirectory: string, found: string, expected: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'WRONG_MAJOR_VERSION',
    `PostgreSQL ${found} wrote the cluster in ${clusterDirectory}, and PostgreSQL ${expected} of this version of Heddle ` +
      'cannot read it. Nothing was changed. You can run the version of Heddle that wrote it, or upgrade the directory ' +
      `with pg_upgrade. You can also dump the database with pg_dump of PostgreSQL ${found}, move the directory away, ` +
      'start and stop Heddle, and restore the dump.',
  );
}

/** `details` is the message of PostgreSQL or of the operating system. */
export function diskFull(directory: string, details: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'DISK_FULL',
    `The disk that contains ${directory} is full. Nothing that was acknowledged is lost. Free some space, so that PostgreSQL can start.\n${details.trim()}`,
  );
}

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS']);

/** An error of the operating system about the data directory, with a message for the operator. Our own errors stay as they are. */
export function asEmbeddedPostgresError(dataDirectory: string, error: unknown): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const code = codeOf(error) ?? '';
  if (code === 'ENOSPC') return diskFull(dataDirectory, reasonOf(error));
  const unusable = (message: string) => new EmbeddedPostgresError('DATA_DIRECTORY_UNUSABLE', message, { cause: error });
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return unusable(
      `The data directory ${dataDirectory} is a file, or is below one. Set HEDDLE_DATA_DIR to a directory.`,
    );
  }
  if (NOT_WRITABLE.has(code)) {
    return unusable(
      `Cannot write to the data directory ${dataDirectory} (${code}). Make it writable for the user that runs Heddle, ` +
        'or set HEDDLE_DATA_DIR to another directory.',
    );
  }
  return unusable(
    `Cannot use the data directory ${dataDirectory} (${reasonOf(error)}). It must be writable for this user, and its file ` +
      'system must support file locks. Set HEDDLE_DATA_DIR to another directory.',
  );
}

/** The message of a caught value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error code of the operating system (`ENOENT`, `EACCES`), or the SQLSTATE of PostgreSQL. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
