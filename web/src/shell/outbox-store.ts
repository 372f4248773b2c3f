import type { Model } from '@heddle/client/model/model.ts';
import type { OutgoingMessage } from '@heddle/client/model/outbox.ts';
import type { SessionStore } from '@heddle/client/session/store.ts';

/**
 * Messages that are not sent yet survive a reload. Each page stores its own under a name of its own, and holds a lock with
 * that name while it lives. A new page takes over what pages without a lock have left, so no message is sent by two pages.
 */
const PREFIX = 'outbox:';

const ownName = `${PREFIX}${crypto.randomUUID()}`;

/** Stores the messages of this page. */
export function keepOutbox(store: SessionStore | undefined, messages: readonly OutgoingMessage[]): void {
  const unsent = messages.filter(({ state }) => state !== 'sent');
  // Without storage, messages live as long as the page.
  void store?.keep(ownName, unsent.length === 0 ? undefined : unsent).catch(() => undefined);
}

/** Sends what earlier pages have left. */
export async function restoreOutbox(store: SessionStore | undefined, model: Model): Promise<void> {
  if (store === undefined || navigator.locks === undefined) return;
  // Held until the page ends.
  void navigator.locks.request(ownName, () => new Promise(() => undefined));
  try {
    const kept = await store.loadKept();
    for (const [name, messages] of kept) {
      if (!name.startsWith(PREFIX) || name === ownName || !Array.isArray(messages)) continue;
      await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
        if (lock === null) return;
        // First under the own name, so that a crash between the two steps loses nothing.
        model.cache.outbox.restore(messages);
        await store.keep(name, undefined);
      });
    }
  } catch {
    // Without storage, there is nothing to restore.
  }
}
