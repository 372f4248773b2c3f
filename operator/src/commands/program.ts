/** Runs commands of this program in processes of their own, for the server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { extname, join } from 'node:path';
import type { Program } from '@heddle/server/extension/program.ts';

/** It is JavaScript in the npm package. */
export const MAIN = join(import.meta.dirname, '..', `main${extname(import.meta.filename)}`);

/** As `scripts/node` gives them. Those of a test or a debugger are not for another process. */
export const OPTIONS_OF_NODE = process.execArgv.filter((option) => !/^--(?:test|inspect|import|watch)/.test(option));

/** The end of standard error is kept. */
const MAX_ERROR_CHARACTERS = 4_000;

/** @param environment the settings of the server, which the commands share */
export function programWith(environment: NodeJS.ProcessEnv): Program {
  return {
    async run(args, signal) {
      signal.throwIfAborted();
      const child = spawn(process.execPath, [...OPTIONS_OF_NODE, MAIN, ...args], { env: environment, stdio: 'pipe' });
      let err = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        err = (err + chunk).slice(-MAX_ERROR_CHARACTERS);
      });
      child.stdout.resume();
      const stop = () => child.kill('SIGTERM');
      signal.addEventListener('abort', stop);
      try {
        // Requests come first.
        if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
        const [code] = (await once(child, 'close')) as [number | null];
        return { code, err };
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
}
