/** The archive of conversations in a page, with content of a known size. */
import { join } from 'node:path';
import type { Archive } from '@heddle/client/session/archive.ts';
import type { Page } from 'playwright-core';
import { build } from 'vite';

const SOURCE = join(import.meta.dirname, '..', '..', 'client', 'src', 'session', 'archive.ts');

/** What the page has then, as `window.heddleArchive`. */
type ArchiveWindow = Window & { readonly heddleArchive: { readonly Archive: typeof Archive } };

/** Conversations to store, one after the other. */
export interface Stored {
  readonly userId: number;
  readonly keys: readonly string[];
  readonly messages: number;
  /** The length of the text of each message. */
  readonly textLength: number;
}

/** Brings the archive of the client into a page of the app. The app has its own one, which stores to the same place. */
export async function bringArchive(page: Page): Promise<void> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      minify: false,
      reportCompressedSize: false,
      lib: { entry: SOURCE, formats: ['iife'], name: 'heddleArchive' },
    },
  });
  const [output] = [built].flat();
  if (output === undefined || !('output' in output)) throw new Error('the archive has no output');
  // The policy of the page allows no script of ours.
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: output.output[0].code });
  await session.detach();
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
}

/** Stores conversations as the app does, also those that the archive has already. */
export async function storeConversations(page: Page, stored: Stored): Promise<void> {
  await page.evaluate(async ({ userId, keys, messages, textLength }) => {
    const { heddleArchive } = window as unknown as ArchiveWindow;
    const archive = new heddleArchive.Archive({ url: location.origin, userId });
    const now = Math.floor(Date.now() / 1000);
    // The browser would compress a text that repeats itself.
    let last = 1;
    const letters = Array.from({ length: 100_000 }, () => {
      last = (last * 48_271) % 2_147_483_647;
      return String.fromCharCode(97 + (last % 26));
    }).join('');
    const textAt = (index: number) => {
      const begin = (index * 7_919) % (letters.length - textLength);
      return letters.slice(begin, begin + textLength);
    };
    const flags = {
      ...{ isRead: true, isStarred: false, isCollapsed: false, isMentioned: false },
      ...{ isChannelMentioned: false, isTopicMentioned: false, hasAlertWord: false, isHistorical: false },
    };
    for (const key of keys) {
      const records = Array.from({ length: messages }, (_, index) => ({
        ...flags,
        id: index + 1,
        place: { kind: 'topic' as const, channelId: 1, topic: key },
        senderId: 1 + (index % 20),
        senderName: `Weaver ${index % 20}`,
        senderEmail: `weaver${index % 20}@example.com`,
        avatarUrl: null,
        content: `<p>${textAt(index)}</p>`,
        timestamp: now + index,
        isMe: false,
        reactions: [],
        submessages: [],
        topicLinks: [],
        ...{ editedAt: undefined, movedAt: undefined, matchContent: undefined, matchTopic: undefined },
      }));
      await archive.save(key, 1, { records, foundOldest: false, foundNewest: true });
    }
  }, stored);
}

/** The keys of the stored conversations, the oldest first, and the bytes that all of them take. */
export function storedConversations(page: Page, userId: number) {
  return page.evaluate(async (id) => {
    const { heddleArchive } = window as unknown as ArchiveWindow;
    const archive = new heddleArchive.Archive({ url: location.origin, userId: id });
    const rows = await archive.list();
    let bytes = 0;
    const keys: string[] = [];
    for (const { key } of rows) {
      const range = await archive.load(key);
      if (range === undefined) continue;
      keys.push(key);
      bytes += new TextEncoder().encode(JSON.stringify(range)).length;
    }
    return { listed: rows.map(({ key }) => key), keys, bytes };
  }, userId);
}
