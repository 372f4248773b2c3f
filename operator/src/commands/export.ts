import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDirectories } from '@heddle/embedded-postgres/create-directories.ts';
import type { ExportedOrganization } from '@heddle/server/features/data-export/queries.ts';
import { CommandError, defineCommand, UsageError } from './command.ts';
import { interruptible } from './interruption.ts';
import { Progress } from './progress.ts';
import { organizationAt, withApp } from './with-app.ts';

/** `everything` is not in the API: only the operator of the server can read all private data anyway. */
const TYPES: Readonly<Record<string, ExportedOrganization['type']>> = { everything: 'everything', full: 2, public: 1 };

/** How long the snapshot may last. The operator decides when an export runs, so it may be long. Milliseconds. */
const SNAPSHOT_TIMEOUT_MS = 6 * 3_600_000;

const ENDINGS = {
  interrupted: 'The export was interrupted.',
  unavailable: 'The database is not available. Run the command again.',
};

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write the data of an organization as an archive into a directory',
  details:
    'The archive has the format of a data export of administrators (docs/export-format.md), and `import heddle` reads it. ' +
    'It works while the server runs. With --type everything, the archive has the private data of all users. ' +
    'With --type full, it has that of the users who allow it. With --type public, it has what all members see. ' +
    'No migration can run before the rows are written.',
  operands: [
    { value: 'ORG', help: "The subdomain of the organization; '' for the root domain" },
    { value: 'DIR', help: 'The directory for the archive; it is created if it does not exist' },
  ],
  options: {
    type: { value: 'T', help: 'Which data; everything if not given', choices: Object.keys(TYPES) },
  },
  async run(values, context, subdomain = '', directory = '') {
    // Else an unset variable of a shell would mean the current directory.
    if (directory === '') throw new UsageError('DIR is empty. Name the directory for the archive.');
    return withApp(context, async (app) => {
      const organization = await organizationAt(app, subdomain);
      const [{ buildArchive }, { features }] = await Promise.all([
        import('@heddle/server/features/data-export/building.ts'),
        import('@heddle/server/all-features.ts'),
      ]);
      const requestedAt = new Date();
      const type = TYPES[values.type ?? 'everything'] ?? 'everything';
      const name = `heddle-${subdomain === '' ? 'root' : subdomain}-${requestedAt.toISOString().replaceAll(/[:.]/g, '-')}.zip`;
      const path = join(resolve(directory), name);
      createDirectory(resolve(directory));
      const progress = new Progress(context.terminal.err);
      const size = await interruptible(context.terminal, ENDINGS, (signal) =>
        writtenTo(path, (target) =>
          buildArchive(
            app,
            features.flatMap(({ exports = [] }) => exports),
            {
              row: { id: 0, organization_id: organization.id, type, requested_at: requestedAt },
              key: '',
              signal,
              log: context.log,
              target,
              report: ({ table, rows, files }) =>
                progress.show(table === undefined ? `Copied ${files} files` : `Writing ${table}: ${rows} rows`),
              snapshotTimeoutMs: SNAPSHOT_TIMEOUT_MS,
            },
          ),
        ),
      ).finally(() => progress.end());
      return { text: `The archive ${path} is complete. It has ${size} bytes.`, json: { path, size } };
    });
  },
});

function createDirectory(path: string): void {
  try {
    createDirectories(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST' || code === 'ENOTDIR')
      throw new CommandError(`${path} is not a directory, or is below a file.`);
    throw new CommandError(`Cannot create the directory ${path} (${code}).`, { cause: error });
  }
}

/** Writes a file that has its name only when it is complete. Only its owner may read it. */
async function writtenTo<Result>(
  path: string,
  write: (target: { put(key: string, content: Readable): Promise<void> }) => Promise<Result>,
): Promise<Result> {
  const partial = `${path}.partial`;
  try {
    const result = await write({
      put: (_, content) => pipeline(content, createWriteStream(partial, { mode: 0o600, flush: true })),
    });
    await rename(partial, path);
    return result;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
