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

/** Sends a message to a window. Resolves with the response of the app, or with undefined if there is none. */
export function responseOf(window: Client, message: unknown): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => resolve(undefined), RESPONSE_TIMEOUT_MS);
  port1.onmessage = ({ data }) => {
    clearTimeout(timer);
    resolve(data);
  };
  window.postMessage(message, [port2]);
  return promise;
}
