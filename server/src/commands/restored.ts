import { defineCommand } from './command.ts';
import { withRooms } from './rooms.ts';

export const restoredCommand = defineCommand({
  name: 'restored',
  summary: 'Say that a backup was put back, so that clients begin anew',
  details:
    'The server notices by itself where the database is another cluster, another database or a copy. Where a whole disk\n' +
    'went back to a snapshot nothing tells: say so with this command before clients reach the server again.',
  options: {},
  run: (_values, context) =>
    withRooms(context, async ({ db }) => {
      const { beginAllEpochs } = await import('../log/epoch.ts');
      await beginAllEpochs(db);
      return { text: 'Clients begin anew', json: {} };
    }),
});
