/**
 * Builds the web app if its sources have changed. Each build has a directory of its own, `web/dist/<name>`, whose name follows from the sources.
 * A build gets this name when it is complete. So a killed build leaves no broken one, and two builds at once do not disturb each other.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { buildName } from './inputs.ts';

const script = join(import.meta.dirname, '..', 'build-web.ts');

/** The directory of all builds, relative to the root of the repository. */
const BUILDS = 'web/dist';
/** A link to the newest build. The server serves this one unless `HEDDLE_WEB_DIR` names another. */
const CURRENT = 'current';
/** The directory of a build that runs: `.building-<name>-<process id>`. */
const RUNNING = /^\.building-([\da-f]+)-(\d+)$/;

/** Another process that builds the same is expected to finish within this time. */
const MAX_WAIT_MS = 120_000;
const WAIT_STEP_MS = 50;

export interface EnsureOptions {
  /** The root of the repository. Default: this one. */
  readonly root?: string;
  /** Called before a build begins. */
  readonly onBegin?: () => void;
  /** Ends a build that runs. */
  readonly signal?: AbortSignal;
}

/** The build failed. The message is the output of the build. */
export class WebBuildError extends Error {
  override readonly name = 'WebBuildError';
}

/** The directory in which the build of these sources is, or will be. */
export function webBuildOf(root: string): string {
  return join(root, BUILDS, buildName(root));
}

/**
 * Resolves with the directory of the build of the current sources. Without changes it builds nothing.
 * @throws WebBuildError
 */
export async function ensureWebBuild(options: EnsureOptions = {}): Promise<string> {
  const { root = join(import.meta.dirname, '..', '..'), onBegin, signal } = options;
  const directory = webBuildOf(root);
  if (!existsSync(directory)) {
    await otherBuildOf(directory, signal);
    if (!existsSync(directory)) {
      onBegin?.();
      await build(root, directory, signal);
    }
  }
  makeCurrent(directory);
  return directory;
}

/** Waits for another process that builds the same. */
async function otherBuildOf(directory: string, signal: AbortSignal | undefined): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS;
  while (Date.now() < end && isBeingBuilt(directory))
    await delay(WAIT_STEP_MS, undefined, { ...(signal && { signal }) });
}

function isBeingBuilt(directory: string): boolean {
  const builds = join(directory, '..');
  const entries = existsSync(builds) ? readdirSync(builds) : [];
  return entries.some((entry) => {
    const [, name, pid] = RUNNING.exec(entry) ?? [];
    return name !== undefined && directory.endsWith(name) && isRunning(Number(pid));
  });
}

/** Whether a process with this id exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Builds in another process, because the bundler takes hundreds of megabytes. */
async function build(root: string, directory: string, signal: AbortSignal | undefined): Promise<void> {
  const child = spawn(process.execPath, [script, root, directory], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  });
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (child.exitCode !== 0) throw new WebBuildError((err + out).trim() || `the build ended with ${child.signalCode}`);
}

/** The link is replaced with one rename, so that it always exists. */
function makeCurrent(directory: string): void {
  const builds = join(directory, '..');
  const link = join(builds, CURRENT);
  const target = directory.slice(builds.length + 1);
  try {
    if (readlinkSync(link) === target) return;
  } catch {
    // There is no link yet.
  }
  const made = join(builds, `.current-${process.pid}`);
  rmSync(made, { force: true });
  symlinkSync(target, made);
  renameSync(made, link);
}
