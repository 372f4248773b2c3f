import { fileURLToPath } from 'node:url';
import type { LoadName, LoadParameters, LoadResult } from '../loads/index.ts';
import { inheritedEnvironment, spawnTracked } from './programs.ts';

export type ToGenerator =
  | { readonly kind: 'run'; readonly load: LoadName; readonly parameters: unknown }
  | { readonly kind: 'continue' };

export type FromGenerator =
  | { readonly kind: 'stage'; readonly stage: string }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'failure'; readonly reason: string };

const program = fileURLToPath(new URL('./generator-process.ts', import.meta.url));

/**
 * Runs a load in a separate process and returns its result. Calls `atStage` at each stage of the load, and the load waits for it.
 *
 * @throws Error with the reason of the load if it fails
 */
export function runLoad<Name extends LoadName>(
  load: Name,
  parameters: LoadParameters<Name>,
  atStage: (stage: string) => Promise<void> = async () => {},
): Promise<LoadResult<Name>> {
  const child = spawnTracked(process.execPath, [program], {
    env: inheritedEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const tell = (message: ToGenerator) => child.send(message);
  const result = new Promise<LoadResult<Name>>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => reject(new Error(`the generator ended with ${code ?? signal}`)));
    child.on('message', (message: FromGenerator) => {
      if (message.kind === 'stage') {
        atStage(message.stage).then(() => tell({ kind: 'continue' }), reject);
      } else if (message.kind === 'result') {
        // The message is the result of the load with this name, as JSON.
        resolve(message.result as LoadResult<Name>);
      } else {
        reject(new Error(`${load}: ${message.reason}`));
      }
    });
    tell({ kind: 'run', load, parameters });
  });
  return result.finally(() => child.kill('SIGKILL'));
}
