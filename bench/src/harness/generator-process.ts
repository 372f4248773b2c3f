import { type LoadName, loads } from '../loads/index.ts';
import type { LoadContext } from '../loads/load.ts';
import type { FromGenerator, ToGenerator } from './generator.ts';

// The process of the load generator. It receives one load over IPC, runs it, reports the result and exits.

let release: () => void = () => {};

const context: LoadContext = {
  reached: (stage) => {
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    report({ kind: 'stage', stage });
    return released;
  },
};

process.on('message', (message: ToGenerator) => {
  if (message.kind === 'continue') release();
  else void run(message.load, message.parameters);
});
process.on('disconnect', () => process.exit(1));

async function run(name: LoadName, parameters: unknown): Promise<void> {
  try {
    const load = loads[name] as (parameters: unknown, context: LoadContext) => Promise<unknown>;
    report({ kind: 'result', result: await load(parameters, context) });
  } catch (error) {
    report({ kind: 'failure', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function report(message: FromGenerator): void {
  process.send?.(message);
}
