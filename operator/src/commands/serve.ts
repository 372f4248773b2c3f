import { defineCommand } from './command.ts';

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Run the server until SIGTERM or SIGINT',
  details:
    'The first start creates the database, an organization and its owner, and prints how to log in. Standard output ' +
    'contains that and a line that begins with "Heddle is listening on http://". The log goes to standard error.',
  options: {},
  async run(_values, context) {
    const { serveUntilStopped } = await import('./serving.ts');
    return serveUntilStopped(context);
  },
});
