import { defineCommand } from './command.ts';

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Run the server until SIGTERM or SIGINT',
  details:
    'The first start creates the database, an organization and its owner, and prints how to log in. Standard output ' +
    'contains that and a line that begins with "Heddle is listening on http://". The log goes to standard error. ' +
    'With several workers (HEDDLE_WORKERS), SIGUSR2 replaces one after the other without a failed request.',
  options: {},
  async run(_values, context) {
    const [{ takeOrders }, { workersOf }] = await Promise.all([
      import('../workers/messages.ts'),
      import('../workers/count.ts'),
    ]);
    const orders = takeOrders(context.terminal.environment);
    if (orders !== undefined) {
      const { serveAsWorker } = await import('../workers/worker.ts');
      return serveAsWorker(orders, context);
    }
    const workers = workersOf(context.config);
    if (workers > 1) {
      const { serveWithWorkers } = await import('../workers/primary.ts');
      return serveWithWorkers(workers, context);
    }
    const { serveUntilStopped } = await import('./serving.ts');
    return serveUntilStopped(context);
  },
});
