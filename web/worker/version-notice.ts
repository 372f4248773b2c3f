/** What the worker of a new version asks and tells the pages (`web/src/app/new-version.ts`). */
export interface VersionNotice {
  readonly kind: 'may-take-over' | 'took-over';
  /** The paths of the files of the version. */
  readonly files: readonly string[];
}

export function isVersionNotice(message: unknown): message is VersionNotice {
  return typeof message === 'object' && message !== null && 'files' in message && 'kind' in message;
}
