/** The other side of `worker-process.ts`: the program of a worker process calls this. */
import { type Frame, framesOf, writeFrame } from './frames.ts';

const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** What the worker responds: the result, or that the input caused an error. */
export type WorkerResponse = { readonly result: unknown } | { readonly error: string };

/** Answers requests from the standard input until that ends. The parent decides when to stop, so signals of a terminal do not count. */
export async function serveWorker(act: (request: Frame) => Promise<Frame>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.stdout.on('error', () => process.exit());
  for await (const request of framesOf(process.stdin, MAX_REQUEST_BYTES)) {
    try {
      const { value, bytes } = await act(request);
      writeFrame(
        process.stdout,
        { result: value } satisfies WorkerResponse,
        bytes.map((one) => [one]),
      );
    } catch (error) {
      writeFrame(process.stdout, { error: String(error).slice(0, 300) } satisfies WorkerResponse, []);
    }
  }
  process.exit();
}
