/** The subscription of this browser at its push service. */
import { readNote } from './account.ts';
import { write } from './writing.ts';

declare const self: ServiceWorkerGlobalScope;

/** The push service wants another subscription. The server gets it, unless the browser is not to be notified any more. */
export async function renew(subscription: PushSubscription | null): Promise<void> {
  const note = await readNote();
  if (note?.push === undefined) return;
  const { serverKey, showsText } = note.push;
  const renewed =
    subscription ??
    (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey }));
  const { endpoint, keys } = renewed.toJSON();
  if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined) return;
  // If it fails, the next start of the app subscribes.
  const fields = { endpoint, p256dh: keys.p256dh, auth: keys.auth, shows_text: String(showsText) };
  await write(note, '/web_push/subscription', fields);
}
