import { defineCommand } from './command.ts';
import { withApp } from './with-app.ts';

export const restoredCommand = defineCommand({
  name: 'restored',
  summary: 'Make clients load everything again, after a disk snapshot was restored',
  details:
    'The server detects another database or a copy of its database, and `restore` needs no other command. ' +
    'The server cannot detect that a whole disk was reset to a snapshot. Then run this command before clients connect again. ' +
    'Run it also after you moved the uploaded files: with HEDDLE_BUS=postgres, the next start then accepts their new place.',
  options: {},
  run: (_values, context) =>
    withApp(context, async ({ db }) => {
      const { beginAllEpochs } = await import('@heddle/server/log/epoch.ts');
      await beginAllEpochs(db);
      const { forgetStore } = await import('@heddle/server/storage/store-marker.ts');
      await forgetStore(db);
      return { text: 'Clients will load everything again.', json: {} };
    }),
});
