/** The first migration of the builds before release 0.2.0, which replaced all their migrations by `0001-initial`. */
const FIRST_OF_DEVELOPMENT_BUILDS = '0001-spine';

/** A build before release 0.2.0 made the database. No migration leads from there to a release. */
export class DevelopmentBuildError extends Error {
  override readonly name = 'DevelopmentBuildError';
}

/**
 * @param applied the names of the migrations that the database has
 * @throws DevelopmentBuildError
 */
export function refuseDevelopmentBuild(applied: readonly string[]): void {
  if (!applied.includes(FIRST_OF_DEVELOPMENT_BUILDS)) return;
  throw new DevelopmentBuildError(
    'This database is from a development build before Heddle 0.2.0 and cannot be upgraded. ' +
      'Use an empty data directory or database, or run that build.',
  );
}
