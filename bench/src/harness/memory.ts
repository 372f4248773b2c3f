import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Program } from './programs.ts';

/** The resident memory of a process in bytes, from `/proc` (Linux only). */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  if (match === null) throw new Error(`there is no VmRSS of process ${pid}`);
  return Number(match[1]) * 1024;
}

export interface Heap {
  /** Live objects and their memory outside the heap, after a full garbage collection. */
  readonly liveBytes: number;
  readonly residentBytes: number;
}

interface InspectorReply {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

/** How often the harness looks for the address of the inspector, and the pause between two attempts. */
const LOOKS = 100;
const LOOK_EVERY_MS = 20;

/** Node writes the address to standard error. It can arrive after the ready line of the program. */
async function inspectorOf(program: Program): Promise<string> {
  for (let look = 0; look < LOOKS; look += 1) {
    const url = /ws:\/\/\S+/.exec(program.output())?.[0];
    if (url !== undefined) return url;
    await delay(LOOK_EVERY_MS);
  }
  throw new Error('the process was not started with --inspect');
}

/**
 * Connects to a Node process with `--inspect`, runs a full garbage collection there, and returns the remaining memory. The process needs no
 * code for it.
 */
export async function heapOf(program: Program): Promise<Heap> {
  const url = await inspectorOf(program);
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error(`there is no inspector at ${url}`)), { once: true });
  });
  try {
    // Twice, because finalizers of the first collection can free more objects.
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
