/**
 * A real S3-compatible server (versitygw over a directory), if the machine has one: `versitygw`, or the program that
 * HEDDLE_TEST_S3_SERVER names.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../server/until.ts';
import { freePort } from './ports.ts';

const program = process.env.HEDDLE_TEST_S3_SERVER || 'versitygw';

/** Whether there is one. */
export function hasS3Server(): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface S3Server {
  /** The environment for Heddle. */
  readonly environment: Readonly<Record<string, string>>;
  /** The directory of its bucket on this machine. */
  readonly bucketDirectory: string;
  stop(): Promise<void>;
}

/** Starts the server with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-s3-'));
  const data = join(directory, 'data');
  const bucketDirectory = join(data, 'heddle-files');
  const notes = join(directory, 'notes');
  await Promise.all([mkdir(bucketDirectory, { recursive: true }), mkdir(notes)]);
  const port = await freePort();
  // Stores attributes in separate files, because not every file system supports them.
  const places = ['posix', '--sidecar', notes, data];
  const child = spawn(
    program,
    ['--access', 'loom', '--secret', 'shuttle', '--port', `127.0.0.1:${port}`, '--quiet', ...places],
    {
      stdio: 'ignore',
    },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  await answers(endpoint, child);
  return {
    bucketDirectory,
    environment: {
      HEDDLE_S3_BUCKET: 'heddle-files',
      HEDDLE_S3_ENDPOINT: endpoint,
      HEDDLE_S3_ACCESS_KEY_ID: 'loom',
      HEDDLE_S3_SECRET_ACCESS_KEY: 'shuttle',
    },
    async stop() {
      child.kill();
      await once(child, 'exit');
      await rm(directory, { recursive: true });
    },
  };
}

/** Resolves when the server sends any response, including a refusal without credentials. */
async function answers(endpoint: string, child: ChildProcess): Promise<void> {
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    const response = await fetch(endpoint).catch(() => undefined);
    await response?.arrayBuffer();
    return response !== undefined;
  }, `${program} to respond`);
}
