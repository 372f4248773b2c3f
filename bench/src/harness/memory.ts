import { readFile } from 'node:fs/promises';
import type { Program } from './programs.ts';

/** A process's resident memory in bytes, from `/proc`: Linux only. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  if (match === null) throw new Error(`no VmRSS for process ${pid}`);
  return Number(match[1]) * 1024;
}

export interface Heap {
  /** Live objects and what they hold outside the heap, after a full collection. */
  readonly liveBytes: number;
  readonly residentBytes: number;
}

interface InspectorReply {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

/**
 * Looks into a Node process that was started with `--inspect`, from outside and without its help: has it collect its
 * garbage and answers what is left.
 */
export async function heapOf(program: Program): Promise<Heap> {
  const url = /ws:\/\/\S+/.exec(program.output())?.[0];
  if (url === undefined) throw new Error('the process was not started with --inspect');
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)), { once: true });
  });
  try {
    // Twice: finalizers that the first collection ran may have freed more.
    await ask(socket, 1, 'HeapProfiler.collectGarbage', {});
    await ask(socket, 2, 'HeapProfiler.collectGarbage', {});
    const expression = 'JSON.stringify(process.memoryUsage())';
    const reply = await ask(socket, 3, 'Runtime.evaluate', { expression, returnByValue: true });
    const usage = JSON.parse(String(reply.result?.result?.value)) as NodeJS.MemoryUsage;
    return { liveBytes: usage.heapUsed + usage.external, residentBytes: usage.rss };
  } finally {
    socket.close();
  }
}

function ask(socket: WebSocket, id: number, method: string, parameters: object): Promise<InspectorReply> {
  return new Promise((resolve, reject) => {
    const listener = ({ data }: MessageEvent) => {
      const reply = JSON.parse(String(data)) as InspectorReply;
      if (reply.id !== id) return;
      socket.removeEventListener('message', listener);
      if (reply.error === undefined) resolve(reply);
      else reject(new Error(`${method}: ${reply.error.message}`));
    };
    socket.addEventListener('message', listener);
    socket.send(JSON.stringify({ id, method, params: parameters }));
  });
}
