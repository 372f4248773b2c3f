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
 * Runs a load in a process of its own and answers its result; throws with the load's reason if it fails. `atStage` is
 * called at each stage that the load reaches, and the load waits for it.
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
        // What was sent is what the load of this name returned, through JSON.
        resolve(message.result as LoadResult<Name>);
      } else {
        reject(new Error(`${load}: ${message.reason}`));
      }
    });
    tell({ kind: 'run', load, parameters });
  });
  return result.finally(() => child.kill('SIGKILL'));
}
