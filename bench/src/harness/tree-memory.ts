import { readFile } from 'node:fs/promises';
import { descendants } from './programs.ts';

/** The part of the machine's memory that belongs to a process: a page that several processes share counts in equal parts (PSS). */
export interface ProcessMemory {
  readonly pid: number;
  readonly name: string;
  readonly bytes: number;
  /** Memory without a file: heaps and stacks. */
  readonly anonymousBytes: number;
  /** Pages of programs and libraries, which the system can drop and read again. */
  readonly fileBytes: number;
  /** Shared memory, such as the buffers of PostgreSQL. */
  readonly sharedBytes: number;
}

/** The memory of a process and of all processes below it, the largest first (Linux only). */
export async function treeMemory(pid: number): Promise<ProcessMemory[]> {
  const below = await descendants(pid);
  const all = await Promise.all([pid, ...below.map((one) => one.pid)].map(memoryOf));
  return all.filter((one) => one !== undefined).toSorted((a, b) => b.bytes - a.bytes);
}

/** Undefined if the process has ended meanwhile. */
async function memoryOf(pid: number): Promise<ProcessMemory | undefined> {
  try {
    const mappings = (await readFile(`/proc/${pid}/smaps`, 'utf8')).split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/);
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    const sums = { anonymousBytes: 0, fileBytes: 0, sharedBytes: 0 };
    for (const mapping of mappings) {
      const path = mapping.slice(0, mapping.indexOf('\n')).split(/\s+/)[5] ?? '';
      // The harness runs the same Node.js, and must not take a part of its pages.
      const bytes = bytesOf(mapping, path === process.execPath ? 'Rss' : 'Pss');
      sums[path === '' || path.startsWith('[') ? 'anonymousBytes' : isShared(path) ? 'sharedBytes' : 'fileBytes'] +=
        bytes;
    }
    const bytes = sums.anonymousBytes + sums.fileBytes + sums.sharedBytes;
    return { pid, name: nameIn(command), bytes, ...sums };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined;
    throw error;
  }
}

/** PostgreSQL's segment of shared memory: an anonymous one, or one of the kinds that other systems need. */
function isShared(path: string): boolean {
  return path === '/dev/zero' || path.startsWith('/SYSV') || path.startsWith('/dev/shm/');
}

function bytesOf(mapping: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(mapping)?.[1] ?? 0) * 1024;
}

/** What a process does, without paths: `node scripts/start.ts`, `postgres: heddle: walwriter`. */
function nameIn(command: string): string {
  if (command.startsWith('postgres: ')) return command.replace(/ \[local\].*/, '');
  const [program = '', ...rest] = command.split(' ');
  const script = rest.find((word) => !word.startsWith('-')) ?? '';
  return `${program.slice(program.lastIndexOf('/') + 1)} ${script.startsWith('/') ? '' : script}`.trim();
}
