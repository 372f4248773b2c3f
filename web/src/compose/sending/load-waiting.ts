import { loadedCode } from '../../base/load-code.ts';

type WaitingCode = typeof import('./waiting-messages.ts');

let loaded: WaitingCode | undefined;

/** The code of messages that wait for their files, if it is loaded. */
export function waitingCode(): WaitingCode | undefined {
  return loaded;
}

/** It loads with the first file. */
export async function loadWaitingCode(): Promise<WaitingCode> {
  loaded ??= await loadedCode(() => import('./waiting-messages.ts'));
  return loaded;
}
