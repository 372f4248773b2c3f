/** What a person sees in a page, and whether another page shows the same. */
import assert from 'node:assert/strict';
import { until } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import type { BrowserWorld, OpenOptions, Person } from './browser-world.ts';

/** What differs between two devices of a person: who is online now, and the focus. */
const OF_THE_DEVICE = [
  /^\s*- img "(?:Active|Idle|Offline)"\n/gm,
  /(?:Active|Idle|Offline) (?=[^\n]*")/g,
  / \[active\]/g,
];

const MARKER = '  - separator "New messages"';
const ARTICLE = '  - article ';

/**
 * The views without the marker of new messages. It belongs to the visit: it stays where reading began, and a page that is opened later has
 * none. Below a marker a run of messages begins, so the message there repeats its sender.
 */
function withoutMarker(...views: readonly string[]): string[] {
  const all = views.map((view) => view.split('\n'));
  const below = new Set(
    all.flatMap((lines) => {
      const marker = lines.indexOf(MARKER);
      return marker < 0 ? [] : [lines.slice(0, marker).filter((line) => line.startsWith(ARTICLE)).length];
    }),
  );
  return all.map((lines) => {
    let article = -1;
    let details: string[] = [];
    const kept: string[] = [];
    const endArticle = () => {
      kept.push(...(below.has(article) ? comparableDetails(details) : details));
      details = [];
    };
    for (const line of lines) {
      if (line === MARKER) continue;
      if (line.startsWith('    ')) {
        details.push(line);
        continue;
      }
      endArticle();
      if (line.startsWith(ARTICLE)) article += 1;
      kept.push(line);
    }
    endArticle();
    return kept.join('\n');
  });
}

/** The details of a message in an order that does not depend on its sender being shown. The name of the article has the sender. */
function comparableDetails(details: readonly string[]): string[] {
  return details.filter((line, index) => index > 0 || !line.startsWith('    - button ')).sort();
}

/** The conversations with their unread counts, the messages, and the title. Roles and texts, one per line. */
export async function viewOf(page: Page): Promise<string> {
  const conversations = page.getByRole('navigation', { name: 'Conversations' });
  const messages = page.getByRole('region', { name: 'Messages', exact: true });
  const parts = [await conversations.ariaSnapshot(), await messages.ariaSnapshot(), `- title: ${await page.title()}`];
  return OF_THE_DEVICE.reduce((view, pattern) => view.replaceAll(pattern, ''), parts.join('\n'));
}

/**
 * Fails unless the server knows that the person has read what the page shows. A fresh page would mark it, and hide that this one did not.
 * @param page a focused page whose messages need no scrolling
 */
async function assertReadOnServer({ client }: Person, page: Page): Promise<void> {
  const query = { narrow: [{ operator: 'is', operand: 'unread' }], anchor: 'newest', num_before: 100, num_after: 0 };
  const shown = () =>
    page
      .getByRole('article')
      .evaluateAll((all) => all.map((one) => Number(one.closest<HTMLElement>('[data-message-id]')?.dataset.messageId)));
  await until(async () => {
    const { messages } = await client.ok('GET', '/messages', query);
    const ids = new Set(await shown());
    return !messages.some(({ id }: { readonly id: number }) => ids.has(id));
  }, 'a server that knows as read what the page shows');
}

/** Fails unless the page becomes equal to the same view in a new profile of the same person. */
export async function assertSameAsFresh(world: BrowserWorld, person: Person, page: Page, options: OpenOptions = {}) {
  await assertReadOnServer(person, page);
  const fresh = await world.open(person, new URL(page.url()).hash, options);
  await fresh.getByRole('region', { name: 'Messages', exact: true }).waitFor();
  await page.bringToFront();
  await world.settled(page);
  await world.settled(fresh);
  let views: readonly string[] = [];
  const isSame = async () => {
    views = withoutMarker(await viewOf(page), await viewOf(fresh));
    return views[0] === views[1];
  };
  // The titles follow the counts after a pause.
  await until(isSame, 'a view like a fresh one').catch((error: unknown) => {
    assert.equal(views[0], views[1], 'the view differs from a fresh one');
    throw error;
  });
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
