import { defineCommand } from './command.ts';
import { withApp } from './with-app.ts';

export const restoredCommand = defineCommand({
  name: 'restored',
  summary: 'Make clients load everything anew, after a disk snapshot was restored',
  details:
    'The server notices by itself when the database is another one or a copy, and `restore` does this too. It cannot\n' +
    'notice that a whole disk was reset to a snapshot. Then run this command before clients connect again.',
  options: {},
  run: (_values, context) =>
    withApp(context, async ({ db }) => {
      const { beginAllEpochs } = await import('../log/epoch.ts');
      await beginAllEpochs(db);
      return { text: 'Clients will load everything anew.', json: {} };
    }),
});
