import { HEDDLE_VERSION } from '@heddle/server/version.ts';
import { defineCommand } from './command.ts';
import { withDatabase } from './with-app.ts';

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'Bring the database up to this version',
  details: 'serve and the commands that use the database also do this when they start.',
  options: {},
  async run(_values, { config, log }) {
    const [{ migrate }, { openPool }, { MIGRATION_TIMEOUTS }] = await Promise.all([
      import('@heddle/server/db/migrate.ts'),
      import('@heddle/server/db/pool.ts'),
      import('@heddle/server/db/timeouts.ts'),
    ]);
    return withDatabase({ config, log }, 'command', async ({ connection }) => {
      const pool = openPool(connection, log, { timeouts: MIGRATION_TIMEOUTS });
      const done = await migrate(pool.db, log).finally(() => pool.close());
      const state = `The database is up to date (version ${HEDDLE_VERSION}).`;
      return { text: [...done, state].join('\n'), json: { migrations: done, version: HEDDLE_VERSION } };
    });
  },
});
