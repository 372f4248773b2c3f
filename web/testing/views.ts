/** What a person sees in a page, and whether another page shows the same. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { BrowserWorld, OpenOptions, Person } from './browser-world.ts';

/** Two views become equal within this time, in milliseconds: each marks as read what it shows, and the other one follows. */
const PATIENCE_MS = 20_000;
/** How often they are compared, in milliseconds. */
const COMPARE_EVERY_MS = 100;

/** What differs between two devices of a person: where reading began, who is online now, and the focus. */
const OF_THE_DEVICE = [
  /^\s*- separator: New messages\n/gm,
  /^\s*- img "(?:Active|Idle|Offline)"\n/gm,
  /(?:Active|Idle|Offline) (?=[^\n]*")/g,
  / \[active\]/g,
];

/** The conversations with their unread counts, the messages, and the title. Roles and texts, one per line. */
export async function viewOf(page: Page): Promise<string> {
  const conversations = page.getByRole('navigation', { name: 'Conversations' });
  const messages = page.getByRole('region', { name: 'Messages', exact: true });
  const parts = [await conversations.ariaSnapshot(), await messages.ariaSnapshot(), `- title: ${await page.title()}`];
  return OF_THE_DEVICE.reduce((view, pattern) => view.replaceAll(pattern, ''), parts.join('\n'));
}

/** Fails unless the page becomes equal to the same view in a new profile of the same person. */
export async function assertSameAsFresh(world: BrowserWorld, person: Person, page: Page, options: OpenOptions = {}) {
  const fresh = await world.open(person, new URL(page.url()).hash, options);
  await fresh.getByRole('region', { name: 'Messages', exact: true }).waitFor();
  await page.bringToFront();
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const [shown, expected] = [await viewOf(page), await viewOf(fresh)];
    if (shown === expected) break;
    if (Date.now() > until) assert.equal(shown, expected, 'the view differs from a fresh one');
    await pause(COMPARE_EVERY_MS);
  }
  await fresh.context().close();
}

/** The Markdown of the messages of a topic, as the server has them. The oldest is first. */
export async function contentsOn({ client }: Person, channelId: number, topic: string): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ];
  const query = { narrow, anchor: 'newest', num_before: 500, num_after: 0, apply_markdown: false };
  const { messages } = await client.ok('GET', '/messages', query);
  return messages.map(({ content }: { readonly content: string }) => content);
}

/** The compose box. */
export function boxOf(page: Page) {
  return page.getByRole('textbox', { name: 'Message', exact: true });
}

/** A message with this text. */
export function messageOf(page: Page, text: string) {
  return page.getByRole('article').filter({ hasText: text });
}
