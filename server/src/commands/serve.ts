import { defineCommand } from './command.ts';

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Serve until SIGTERM or SIGINT',
  details:
    'On an empty data directory it creates the database, an organization and its owner first, and prints how to log in.\n' +
    'Standard output gets that and a line that begins "Heddle is listening on http://"; the log goes to standard error.',
  options: {},
  async run(_values, context) {
    const { serveUntilStopped } = await import('./serving.ts');
    return serveUntilStopped(context);
  },
});
