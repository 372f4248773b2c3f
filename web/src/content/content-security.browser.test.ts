import assert from 'node:assert/strict';
import { until } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { browserWorld } from '../../testing/browser-world.ts';
import { scriptsThatRan, watchScripts, XSS_PAYLOADS } from '../../testing/xss-payloads.ts';

const world = browserWorld();

/** The number of channels that the tests have created. */
let channels = 0;

const SIZE = { width: 900, height: 1000 };

/** Sends each payload as a message. Returns the fragment of the conversation. */
async function sendAll(): Promise<string> {
  const { client } = world.owner;
  channels += 1;
  const channelId = await world.server.emptyChannel(client, `attacks ${channels}`);
  for (const payload of XSS_PAYLOADS) await client.send(channelId, 'attacks', payload);
  await client.send(channelId, 'attacks', 'the last message');
  return `#narrow/channel/${channelId}/topic/attacks`;
}

/** Looks at all messages from the first to the last, and presses and touches what is in them. Returns how many there were. */
async function lookAtAll(page: Page): Promise<number> {
  const seen = new Set<string>();
  await page.getByRole('article').first().waitFor();
  await page.mouse.move(600, 500);
  await until(async () => {
    for (const id of await page.evaluate(pressEverything)) seen.add(id);
    if (await page.getByText('the last message').isVisible()) return true;
    await page.mouse.wheel(0, 500);
    // The list renders in the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    return false;
  }, 'the last message');
  return seen.size;
}

/** Runs in the page. Returns the ids of the messages that it has. */
function pressEverything(): string[] {
  for (const button of document.querySelectorAll<HTMLElement>('article .spoiler-button[aria-expanded=false]')) {
    button.click();
  }
  for (const part of document.querySelectorAll('article *')) {
    part.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
    part.dispatchEvent(new FocusEvent('focus'));
    part.dispatchEvent(new Event('toggle'));
  }
  return [...document.querySelectorAll<HTMLElement>('[data-message-id]')].map((one) => one.dataset.messageId ?? '');
}

world.test('Markdown of published XSS collections runs no script', async () => {
  const route = await sendAll();
  // The preview of a picture that does not exist.
  world.expectProblems('external_content');
  const first = await world.open(world.owner, '', { size: SIZE });
  await watchScripts(first.context());
  const page = await world.open(world.owner, route, { beside: first });
  const count = await lookAtAll(page);
  assert.deepEqual(await scriptsThatRan(page), []);
  assert.equal(count, XSS_PAYLOADS.length + 1);
});

world.test('HTML of published XSS collections from a broken server runs no script', async () => {
  const route = await sendAll();
  const first = await world.open(world.owner, '', { size: SIZE });
  await watchScripts(first.context());
  // Pictures of payloads do not exist. The browser reports handlers and styles while the sanitizer reads the HTML.
  world.expectProblems('status 404', 'img-src', 'media-src', 'script-src-attr', 'style-src', 'inline', 'ERR_');
  await first.context().route('**/json/messages?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { messages: { content: string; submessages: unknown[] }[] };
    for (const [index, message] of body.messages.entries()) {
      if (message.content.includes('the last message')) continue;
      Object.assign(message, { content: XSS_PAYLOADS[index % XSS_PAYLOADS.length], submessages: [] });
    }
    await route.fulfill({ response, json: body });
  });
  const page = await world.open(world.owner, route, { beside: first });
  const count = await lookAtAll(page);
  assert.deepEqual(await scriptsThatRan(page), []);
  const covering = await page.evaluate(
    () =>
      [...document.querySelectorAll('article *')].filter((one) => getComputedStyle(one).position === 'fixed').length,
  );
  assert.equal(covering, 0, 'no style of a message covers the page');
  assert.equal(count, XSS_PAYLOADS.length + 1);
});
