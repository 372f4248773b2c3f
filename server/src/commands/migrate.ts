import { defineCommand } from './command.ts';

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'Bring the database up to this version',
  details: 'serve and the other commands do it too when they start.',
  options: {},
  async run(_values, { config, log }) {
    const [{ migrate }, { openPool }, { MIGRATIONS }, { openDatabase }] = await Promise.all([
      import('../db/migrate.ts'),
      import('../db/pool.ts'),
      import('../db/waits.ts'),
      import('./database.ts'),
    ]);
    const database = await openDatabase(config, log, 'command');
    try {
      const pool = openPool(database.connection, log, { waits: MIGRATIONS });
      const done = await migrate(pool.db).finally(() => pool.close());
      return { text: done.length === 0 ? 'There is nothing to do' : done.join('\n'), json: { migrations: done } };
    } finally {
      await database.stop();
    }
  },
});
