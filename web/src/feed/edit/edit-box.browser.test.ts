import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld, type OpenOptions, type Person } from '../../../testing/browser-world.ts';

const world = browserWorld();

let made = 0;

/** Ada writes, Bob answers, and Ada writes again. */
async function scene(): Promise<{
  ada: Person;
  bob: Person;
  channelId: number;
  ids: readonly number[];
  route: string;
}> {
  made += 1;
  const [ada, bob] = [await world.user({ name: `Ada ${made}` }), await world.user({ name: `Bob ${made}` })];
  const channelId = await world.server.emptyChannel(ada.client, `edits ${made}`, { principals: [bob.client.userId] });
  const ids = [
    await ada.client.send(channelId, 'looms', 'the first text'),
    await ada.client.send(channelId, 'looms', 'the second text'),
    await bob.client.send(channelId, 'looms', 'the answer'),
  ];
  return { ada, bob, channelId, ids, route: `#narrow/channel/${channelId}/topic/looms` };
}

/** Opens the topic, and waits for its messages: the arrow edits only what is there. */
async function open(person: Person, route: string, options?: OpenOptions): Promise<Page> {
  const page = await world.open(person, route, options);
  await page.getByRole('article').filter({ hasText: 'the answer' }).waitFor();
  return page;
}

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const editOf = (page: Page) => page.getByRole('textbox', { name: 'Edit message' });

async function contentOf({ client }: Person, id: number | undefined): Promise<string> {
  return (await client.ok('GET', `/messages/${id}`, { apply_markdown: false })).message.content;
}

world.test('the arrow in the empty box edits the last own message, with everything that writing has', async () => {
  const { ada, bob, ids, route } = await scene();
  const page = await open(ada, route);
  const [box, edit] = [boxOf(page), editOf(page)];
  await box.press('ArrowLeft');
  // What is typed before the text has arrived goes into the edit.
  await page.keyboard.type(' now');
  await edit.and(page.locator(':focus')).waitFor();
  await until(async () => (await edit.inputValue()) === 'the second text now', 'the typed word');
  await page.keyboard.type(` for @${bob.name}`);
  await page.getByRole('option', { name: bob.name }).waitFor();
  await page.keyboard.press('Enter');
  await untilEqual(() => edit.inputValue(), `the second text now for @**${bob.name}** `);
  // Shortcuts and tools are those of the focused box.
  await page.keyboard.press('ControlOrMeta+b');
  await page.keyboard.type('soon');
  const row = page.locator(`[data-message-id="${ids[1]}"]`);
  await page.keyboard.press('Alt+p');
  await row.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'soon' }).waitFor();
  await checkAccessibility(page, 'the preview of an edit', { without: ['aria-required-children', 'heading-order'] });
  await page.keyboard.press('Alt+p');
  await edit.and(page.locator(':focus')).waitFor();
  await row.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: 'Quote' }).click();
  await until(async () => (await edit.inputValue()).startsWith('> the second'), 'the quote');
  // Files: picked, pasted and dropped.
  await row
    .getByLabel('Files', { exact: true })
    .setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('warp') }]);
  await until(async () => (await edit.inputValue()).includes('[notes.txt](/user_uploads/'), 'the picked file');
  for (const [type, name] of [['paste', 'pasted.txt'] as const, ['drop', 'dropped.txt'] as const]) {
    await edit.evaluate(
      (element, [event, file]) => {
        const data = new DataTransfer();
        data.items.add(new File(['weft'], file, { type: 'text/plain' }));
        const options = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          event === 'paste'
            ? new ClipboardEvent(event, { ...options, clipboardData: data })
            : new DragEvent(event, { ...options, dataTransfer: data }),
        );
      },
      [type, name] as const,
    );
    await until(async () => (await edit.inputValue()).includes(`[${name}](/user_uploads/`), name);
  }
  await untilEqual(() => box.inputValue(), '');
  await edit.press('Control+Enter');
  await edit.waitFor({ state: 'detached' });
  // The focus returns to where it came from.
  await box.and(page.locator(':focus')).waitFor();
  const saved = await contentOf(ada, ids[1]);
  assert.match(saved, /^> the second text now for @\*\*Bob \d+\*\* \*\*soon\*\*/);
  for (const name of ['notes', 'pasted', 'dropped']) assert(saved.includes(`[${name}.txt](/user_uploads/`), name);
});

world.test('an edit that is saved while a file is uploaded waits for it', async () => {
  const { ada, ids, route } = await scene();
  const page = await open(ada, route);
  const edit = editOf(page);
  const released = Promise.withResolvers<void>();
  await page.route('**/api/v1/tus/**', async (request) => {
    await released.promise;
    await request.continue().catch(() => undefined);
  });
  await boxOf(page).press('ArrowUp');
  await edit.and(page.locator(':focus')).waitFor();
  const row = page.getByRole('article').filter({ has: edit });
  await row
    .getByLabel('Files', { exact: true })
    .setInputFiles([{ name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1_500_000, 1) }]);
  await row.getByRole('progressbar', { name: 'Upload of large.bin' }).waitFor();
  await edit.press('Control+Enter');
  await page.getByRole('button', { name: 'Please wait' }).waitFor();
  assert.equal(await contentOf(ada, ids[1]), 'the second text');
  released.resolve();
  await edit.waitFor({ state: 'detached' });
  assert.match(await contentOf(ada, ids[1]), /^the second text\n\[large\.bin\]\(\/user_uploads\/\S+\)$/);
});

world.test('an edit that is cancelled while a file is uploaded is not saved', async () => {
  const { ada, ids, route } = await scene();
  const page = await open(ada, route);
  const edit = editOf(page);
  const released = Promise.withResolvers<void>();
  await page.route('**/api/v1/tus/**', async (request) => {
    await released.promise;
    await request.continue().catch(() => undefined);
  });
  await boxOf(page).press('ArrowUp');
  await edit.and(page.locator(':focus')).waitFor();
  const row = page.getByRole('article').filter({ has: edit });
  await row
    .getByLabel('Files', { exact: true })
    .setInputFiles([{ name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1_500_000, 1) }]);
  await row.getByRole('progressbar', { name: 'Upload of large.bin' }).waitFor();
  await edit.press('Control+Enter');
  await page.getByRole('button', { name: 'Please wait' }).waitFor();
  await row.getByRole('button', { name: 'Cancel', exact: true }).click();
  await edit.waitFor({ state: 'detached' });
  // Another edit of the same message, also while the file is on its way.
  await boxOf(page).press('ArrowUp');
  await edit.and(page.locator(':focus')).waitFor();
  released.resolve();
  await world.settled(page);
  await untilEqual(() => edit.inputValue(), 'the second text');
  assert.equal(await contentOf(ada, ids[1]), 'the second text');
});

world.test('on a phone, the tools of an edit fit, and a message that cannot be edited says why', async () => {
  const { ada, route } = await scene();
  const page = await open(ada, route, { device: 'phone' });
  await boxOf(page).press('ArrowLeft');
  const edit = editOf(page);
  await edit.waitFor();
  const row = page.getByRole('article').filter({ has: edit });
  for (const name of ['Attach files', 'Emoji', 'Bold', 'Italic', 'Link', 'More tools']) {
    const place = await row.getByRole('button', { name, exact: true }).boundingBox();
    assert(place !== null && place.x >= 0 && place.x + place.width <= 390, name);
  }
  await checkAccessibility(page, 'an edit on a phone', { without: ['aria-required-children', 'heading-order'] });
  await edit.press('Escape');
  await world.owner.client.ok('PATCH', '/realm', { allow_message_editing: false });
  await world.settled(page);
  await boxOf(page).press('ArrowLeft');
  await page.getByText('The message cannot be edited now. This organization has turned it off.').waitFor();
  await untilEqual(() => edit.count(), 0);
  await world.owner.client.ok('PATCH', '/realm', { allow_message_editing: true });
});
