import { relative, resolve, sep } from 'node:path';
import { CommandError, defineCommand } from './command.ts';
import { withDatabase } from './with-app.ts';

const backup = defineCommand({
  name: 'backup',
  summary: 'Write a backup of everything into a new directory',
  details:
    'The backup contains the database, the uploaded files (also those in an S3-compatible store) and the server secret. ' +
    'It works while the server runs and is consistent: it contains everything that was acknowledged before it began. ' +
    'The command reads the backup back and compares it. An interrupted backup leaves DIR.partial, which you can remove. ' +
    'The backup does not contain settings, unfinished uploads, and mails that are files.',
  operands: [{ value: 'DIR', help: 'The directory to create; its parent must exist' }],
  options: {},
  async run(_values, { config, log }, directory) {
    const [{ writeBackup }, { openStorage }] = await Promise.all([
      import('../backup/write-backup.ts'),
      import('@heddle/server/storage/open.ts'),
    ]);
    const path = resolve(directory);
    // It would be lost together with the data.
    if (isInside(resolve(config.dataDirectory), path)) {
      throw new CommandError(`${path} is in the data directory. Choose a directory elsewhere, best on another disk.`);
    }
    return withDatabase({ config, log }, 'command', async (database) => {
      const source = { ...database, ...openStorage(config), dataDirectory: config.dataDirectory };
      const { heddle, createdAt, tables, files, fileBytes, missingFiles } = await writeBackup(source, path);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const lost =
        missingFiles === 0 ? '' : `\nThe storage does not have ${missingFiles} files that are in the database.`;
      return {
        text: `The backup ${path} is complete. Rows: ${rows}. Files: ${files}, with ${fileBytes} bytes.${lost}`,
        json: {
          directory: path,
          heddle,
          created_at: createdAt,
          rows,
          files,
          file_bytes: fileBytes,
          missing_files: missingFiles,
        },
      };
    });
  },
});

const restore = defineCommand({
  name: 'restore',
  summary: 'Restore a backup into an empty database and data directory',
  details:
    'HEDDLE_DATA_DIR and HEDDLE_DATABASE_URL name the target. No server may use it, and the database must be empty. ' +
    'The command verifies the backup before it changes anything, and compares the result with the backup. ' +
    'If it is interrupted, run it again. Then start the server: clients load everything again.',
  operands: [{ value: 'DIR', help: 'The directory that `backup` wrote' }],
  options: {},
  async run(_values, { config, log }, directory) {
    const [{ restoreBackup }, { openStorage }] = await Promise.all([
      import('../backup/restore-backup.ts'),
      import('@heddle/server/storage/open.ts'),
    ]);
    const path = resolve(directory);
    return withDatabase({ config, log }, 'serve', async (database) => {
      const target = { ...database, ...openStorage(config), dataDirectory: config.dataDirectory, log };
      const { heddle, createdAt, tables, files, missingFiles } = await restoreBackup(target, path);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      return {
        text: `The backup of ${createdAt} is restored. Rows: ${rows}. Files: ${files}. Start the server.`,
        json: { heddle, created_at: createdAt, rows, files, missing_files: missingFiles },
      };
    });
  },
});

function isInside(directory: string, path: string): boolean {
  const [first] = relative(directory, path).split(sep);
  return first !== '..';
}

export const backupCommands = [backup, restore];
