/** What must not stay in the browser when another account is logged in, or nobody. */
import { forgetNotes, readNote } from './account.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * The login of an account can end while no page of the app is open. Then its notifications go, with its subscription, its note and its replies.
 * @param userId who is logged in, says the server; undefined: nobody
 */
export async function forgetOthers(userId: number | undefined): Promise<void> {
  const note = await readNote();
  if (note === undefined || note.userId === userId) return;
  await forgetNotes();
  for (const shown of await self.registration.getNotifications()) shown.close();
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
