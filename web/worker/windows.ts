/** The open windows of the app. */
import { START_PATH } from './start-page.ts';

declare const self: ServiceWorkerGlobalScope;

/** A page that does not respond within this time has not loaded its code, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 1_000;

/** The window that was in front last comes first. */
export async function appWindows(): Promise<readonly WindowClient[]> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return windows.filter(({ url }) => new URL(url).pathname === START_PATH);
}

/** Sends a message to a window. Resolves with whether the app has taken it. */
export function hasTaken(window: Client, message: unknown): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), RESPONSE_TIMEOUT_MS);
    port1.onmessage = () => {
      clearTimeout(timer);
      resolve(true);
    };
    window.postMessage(message, [port2]);
  });
}
