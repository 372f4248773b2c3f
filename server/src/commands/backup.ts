import { resolve } from 'node:path';
import { defineCommand } from './command.ts';

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'Write a backup of everything into a new directory',
  details:
    'The backup contains the database, the uploaded files (also those in an S3-compatible store) and the server secret.\n' +
    'It works while the server runs and is consistent: it contains everything that was acknowledged before it began. All of\n' +
    'it is read back and compared. An interrupted backup leaves DIR.partial, which can be removed. It does not contain\n' +
    'settings, uploads that are unfinished, and mails that are files.',
  operand: { value: 'DIR', help: 'The directory to create. Its parent must exist' },
  options: {},
  async run(_values, { config, log }, directory) {
    const [{ writeBackup }, { openDatabase }, { openStorage }] = await Promise.all([
      import('../backup/write-backup.ts'),
      import('./database.ts'),
      import('../storage/open.ts'),
    ]);
    const path = resolve(directory);
    const database = await openDatabase(config, log, 'command');
    try {
      const source = { ...database, ...openStorage(config), dataDirectory: config.dataDirectory };
      const manifest = await writeBackup(source, path);
      const { heddle, createdAt, tables, files, fileBytes, missingFiles } = manifest;
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const lost =
        missingFiles === 0 ? '' : `\nThe storage does not have ${missingFiles} files that the database names.`;
      return {
        text: `The backup ${path} is complete: ${rows} rows and ${files} files (${fileBytes} bytes).${lost}`,
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
    } finally {
      await database.stop();
    }
  },
});

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'Restore a backup into an empty database and data directory',
  details:
    'HEDDLE_DATA_DIR and HEDDLE_DATABASE_URL say where. It refuses to run while a server uses them, and where the database\n' +
    'is not empty. The backup is verified before anything changes, and compared with the result. If it is interrupted, run\n' +
    'it again. Then start the server: clients load everything anew.',
  operand: { value: 'DIR', help: 'The directory that `backup` has written' },
  options: {},
  async run(_values, { config, log }, directory) {
    const [{ restoreBackup }, { openDatabase }, { openStorage }] = await Promise.all([
      import('../backup/restore-backup.ts'),
      import('./database.ts'),
      import('../storage/open.ts'),
    ]);
    const path = resolve(directory);
    // As a server does, this acquires the data directory alone.
    const database = await openDatabase(config, log, 'serve');
    try {
      const target = { ...database, ...openStorage(config), dataDirectory: config.dataDirectory, log };
      const { heddle, createdAt, tables, files, missingFiles } = await restoreBackup(target, path);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      return {
        text: `The backup of ${createdAt} is restored: ${rows} rows and ${files} files. Start the server.`,
        json: { heddle, created_at: createdAt, rows, files, missing_files: missingFiles },
      };
    } finally {
      await database.stop();
    }
  },
});
