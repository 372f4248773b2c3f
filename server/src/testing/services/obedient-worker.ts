/** A program of a worker process that does what a test asks for. */
import { serveWorker } from '../../worker-process/serve.ts';

await serveWorker(async ({ value, bytes }) => {
  switch (value) {
    case 'fail':
      throw new Error('the input is wrong');
    case 'hang':
      for (;;); // timing: the worker hangs
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, 600_000)); // timing: the worker waits
      return { value: null, bytes: [] };
    case 'fill the memory': {
      const all: unknown[] = [];
      // timing: the memory ends this loop
      for (;;) all.push({ more: [all.length] });
    }
    case 'one large value':
      return { value: 'x'.repeat(2 ** 29).split(''), bytes: [] };
    case 'exit':
      return process.exit(3);
    case 'much':
      return { value: null, bytes: [Buffer.alloc(2_000_000)] };
    case 'environment':
      return { value: Object.keys(process.env), bytes: [] };
    default:
      return { value: { value, pid: process.pid }, bytes };
  }
});
