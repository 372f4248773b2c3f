import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld, type Person } from '../../../testing/browser-world.ts';

const world = browserWorld();

let made = 0;

async function scene() {
  made += 1;
  const ada = await world.user({ name: `Ada ${made}` });
  const channelId = await world.server.emptyChannel(ada.client, `files ${made}`);
  await ada.client.send(channelId, 'looms', 'before');
  await ada.client.send(channelId, 'knots', 'elsewhere');
  return { ada, channelId, route: `#narrow/channel/${channelId}/topic/looms` };
}

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const waitingOf = (page: Page) => page.getByRole('list', { name: 'Messages that wait for their files' });
const valueIs = (page: Page, value: string) =>
  until(async () => (await boxOf(page).inputValue()) === value, `the text ${value}`);

/** The Markdown of the messages of the topic. */
async function sentTo({ client }: Person, channelId: number, topic = 'looms'): Promise<readonly string[]> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ];
  const query = { narrow, anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false };
  const { messages } = await client.ok('GET', '/messages', query);
  return messages.map(({ content }: { content: string }) => content);
}

/** Chunks of files wait until the returned function is called. With a status, it refuses them. */
async function holdFiles(page: Page): Promise<(status?: number) => void> {
  const released = Promise.withResolvers<number | undefined>();
  await page.route('**/api/v1/tus/**', async (request) => {
    const status = await released.promise;
    if (status === undefined) await request.continue().catch(() => undefined);
    else await request.fulfill({ status, body: 'no' }).catch(() => undefined);
  });
  return released.resolve;
}

const LARGE = { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1_500_000, 1) };

async function writeWithFile(page: Page, text: string): Promise<void> {
  await boxOf(page).fill(text);
  await page.getByLabel('Files', { exact: true }).setInputFiles([LARGE]);
  await page.getByRole('progressbar', { name: 'Upload of large.bin' }).waitFor();
  await boxOf(page).press('Control+Enter');
  await waitingOf(page).getByText(text).waitFor();
}

world.test('a message waits for its files, is taken back, and is sent while the user is elsewhere', async () => {
  const { ada, channelId, route } = await scene();
  const page = await world.open(ada, route);
  const release = await holdFiles(page);
  await writeWithFile(page, 'with a file');
  await valueIs(page, '');
  await checkAccessibility(page, 'a waiting message', { without: ['aria-required-children', 'heading-order'] });
  await waitingOf(page).getByRole('button', { name: 'Do not send' }).click();
  await until(async () => (await boxOf(page).inputValue()).startsWith('with a file\n['), 'the text in the box');
  await boxOf(page).press('Control+Enter');
  await waitingOf(page).getByText('It is sent as soon as its files are uploaded').waitFor();
  // The next message does not wait.
  await boxOf(page).fill('the next one');
  await boxOf(page).press('Control+Enter');
  await until(async () => (await sentTo(ada, channelId)).at(-1) === 'the next one', 'the next message');
  await page.evaluate((hash) => location.assign(hash), route.replace('looms', 'knots'));
  await page.getByRole('article').getByText('elsewhere').waitFor();
  await untilEqual(() => waitingOf(page).count(), 0);
  release();
  await until(
    async () => /^with a file\n\[large\.bin\]\(\/user_uploads\//.test((await sentTo(ada, channelId)).at(-1) ?? ''),
    'the message',
  );
  // Nothing is left of it in the conversation.
  await page.evaluate((hash) => location.assign(hash), route);
  await page.getByRole('article').getByText('with a file').waitFor();
  await valueIs(page, '');
  assert.deepEqual((await sentTo(ada, channelId)).length, 3);
});

world.test('a press before the code of waiting messages is there sends that text or nothing', async () => {
  const { ada, channelId, route } = await scene();
  const page = await world.open(ada, route);
  const code = Promise.withResolvers<void>();
  await page.route('**/static/app/waiting-messages-*.js', async (request) => {
    await code.promise;
    await request.continue();
  });
  const release = await holdFiles(page);
  const press = async (text: string): Promise<void> => {
    await boxOf(page).fill(text);
    await page.getByLabel('Files', { exact: true }).setInputFiles([LARGE]);
    await page.getByRole('progressbar', { name: 'Upload of large.bin' }).waitFor();
    await boxOf(page).press('Control+Enter');
    await boxOf(page).press('Control+Enter');
  };
  await press('half a sentence');
  await page.evaluate((hash) => location.assign(hash), route.replace('looms', 'knots'));
  await page.getByRole('article').getByText('elsewhere').waitFor();
  await press('the whole');
  await boxOf(page).press('End');
  await boxOf(page).pressSequentially('and more');
  code.resolve();
  await page.evaluate((hash) => location.assign(hash), route);
  await until(async () => (await boxOf(page).inputValue()).startsWith('half a sentence'), 'the draft');
  // Now it is there, and the next press is heard at once.
  await boxOf(page).press('Control+Enter');
  await waitingOf(page).getByText('half a sentence').waitFor();
  await untilEqual(() => waitingOf(page).getByRole('button', { name: 'Do not send' }).count(), 1);
  release();
  await until(async () => (await sentTo(ada, channelId)).length === 2, 'the message');
  await page.evaluate((hash) => location.assign(hash), route.replace('looms', 'knots'));
  await until(async () => (await boxOf(page).inputValue()).includes('and more'), 'the other draft');
  assert.equal((await sentTo(ada, channelId, 'knots')).length, 1);
});

world.test('if a file is refused, the message returns to the box with the reason', async () => {
  const { ada, channelId, route } = await scene();
  world.expectProblems('status 413', 'status of 413');
  const page = await world.open(ada, route);
  const release = await holdFiles(page);
  await writeWithFile(page, 'too much');
  release(413);
  await page.getByText('Your message was not sent. “large.bin” was not uploaded').waitFor();
  await page.getByRole('list', { name: 'Uploads' }).getByText('The file is too large for the server.').waitFor();
  assert.match(await boxOf(page).inputValue(), /^too much/);
  await boxOf(page).press('Control+Enter');
  await page.getByText('A file was not uploaded. Try again, or remove it.').waitFor();
  await page.getByRole('button', { name: 'Remove large.bin' }).click();
  await boxOf(page).press('Control+Enter');
  await until(async () => (await sentTo(ada, channelId)).at(-1) === 'too much', 'the message without the file');
});

world.test('a file of a text that came back reaches its draft while the user is elsewhere', async () => {
  const { ada, route } = await scene();
  world.expectProblems('status 400', 'status of 400');
  const page = await world.open(ada, route);
  const refuse = await holdFiles(page);
  await writeWithFile(page, 'try twice');
  const leave = async (): Promise<void> => {
    await page.evaluate((hash) => location.assign(hash), route.replace('looms', 'knots'));
    await page.getByRole('article').getByText('elsewhere').waitFor();
  };
  await leave();
  refuse(400);
  await page.getByText('Your message was not sent. “large.bin” was not uploaded').waitFor();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await until(async () => (await boxOf(page).inputValue()).startsWith('try twice'), 'the text in the box');
  const release = await holdFiles(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('progressbar', { name: 'Upload of large.bin' }).waitFor();
  await leave();
  release();
  await until(async () => (await ada.client.ok('GET', '/attachments')).attachments.length === 1, 'the file');
  await world.settled(page);
  await page.evaluate((hash) => location.assign(hash), route);
  await until(
    async () => /^try twice\n\[large\.bin\]\(\/user_uploads\//.test(await boxOf(page).inputValue()),
    'the link in the draft',
  );
});

world.test('a reload keeps the text of a message that waits, and names what was lost', async () => {
  const { ada, channelId, route } = await scene();
  const page = await world.open(ada, route, { device: 'phone' });
  await holdFiles(page);
  await writeWithFile(page, 'keep this text');
  await page.reload();
  await page
    .getByText(`The page was closed before your message to #files ${made} > looms was sent. Not uploaded: large.bin.`)
    .waitFor();
  await valueIs(page, 'keep this text\n');
  await untilEqual(() => waitingOf(page).count(), 0);
  assert.deepEqual(await sentTo(ada, channelId), ['before']);
});

world.test('a reload keeps the files of a message that waits, as far as they are uploaded', async () => {
  const { ada, route } = await scene();
  const page = await world.open(ada, route);
  await holdFiles(page);
  const small = { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('a small file') };
  const released = Promise.withResolvers<void>();
  // A small file is sent with the request that creates the upload.
  await page.route('**/api/v1/tus', async (request) => {
    if (request.request().headers()['upload-length'] === `${small.buffer.length}`) await released.promise;
    await request.continue();
  });
  await boxOf(page).fill('two files');
  await page.getByLabel('Files', { exact: true }).setInputFiles([small, LARGE]);
  await page.getByRole('progressbar', { name: 'Upload of small.txt' }).waitFor();
  await boxOf(page).press('Control+Enter');
  await waitingOf(page).getByText('two files').waitFor();
  released.resolve();
  await page.getByRole('progressbar', { name: 'Upload of small.txt' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('Not uploaded: large.bin.').waitFor();
  await until(
    async () => /^two files\n\[small\.txt\]\(\/user_uploads\/[^)]+\)\n$/.test(await boxOf(page).inputValue()),
    'the text with the uploaded file',
  );
});

world.test(
  'pictures have thumbnails; a phone makes them smaller, and sends the original if the user wants',
  async () => {
    const { ada, route } = await scene();
    const page = await world.open(ada, route, { device: 'phone' });
    const red = await sharp({ create: { width: 1500, height: 2000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    // A camera that is held upright: the file has the red half on the left, and people see it above.
    const photo = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: 'blue' } })
      .composite([{ input: red, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100 })
      .toBuffer();
    // Noise, so that a still and smaller picture would also be a smaller file. A canvas would keep the first picture only.
    const frames = randomBytes(2400 * 200 * 3);
    const animation = await sharp(frames, { raw: { width: 2400, height: 200, channels: 3, pageHeight: 100 } })
      .webp({ lossless: true, effort: 0 })
      .toBuffer();
    await page.getByLabel('Files', { exact: true }).setInputFiles([
      { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo },
      { name: 'moves.webp', mimeType: 'image/webp', buffer: animation },
    ]);
    const uploads = page.getByRole('list', { name: 'Uploads' });
    await until(async () => (await boxOf(page).inputValue()).match(/\(\/user_uploads\//g)?.length === 2, 'the links');
    await until(async () => (await uploads.locator('img').count()) === 2, 'two thumbnails');
    const stored = async (name: string): Promise<Buffer> => {
      const path = new RegExp(`\\[${name}\\]\\((/user_uploads/[^)]+)\\)`).exec(await boxOf(page).inputValue())?.[1];
      const bytes = await page.evaluate(
        async (url) => [...new Uint8Array(await (await fetch(url)).arrayBuffer())],
        `${path}`,
      );
      return Buffer.from(bytes);
    };
    const small = await stored('photo.jpg');
    const { width, height } = await sharp(small).metadata();
    assert.deepEqual([width, height], [1365, 2048]);
    const [above = 0, , below = 255] = await sharp(small)
      .extract({ left: 600, top: 100, width: 1, height: 1 })
      .raw()
      .toBuffer();
    assert(above > 200 && below < 60, 'the red half is above');
    assert.deepEqual(await stored('moves.webp'), animation);
    await checkAccessibility(page, 'pictures before sending', { without: ['aria-required-children', 'heading-order'] });
    await uploads.getByRole('button', { name: /^Send the original/ }).tap();
    await until(async () => !(await boxOf(page).inputValue()).includes('…'), 'the original');
    assert.deepEqual(await stored('photo.jpg'), photo);
    await page.getByRole('button', { name: 'Send', exact: true }).tap();
    await uploads.waitFor({ state: 'detached' });
    await page
      .getByRole('article')
      .getByRole('link', { name: /photo\.jpg/ })
      .first()
      .waitFor();
  },
);

world.test('above the limit, the button is still called Send, and the reason stands beside it', async () => {
  const { ada, channelId, route } = await scene();
  const page = await world.open(ada, route, { device: 'phone' });
  await boxOf(page).fill('x'.repeat(10_007));
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await page.getByRole('status').getByText('7 characters too many').waitFor();
  await untilEqual(() => send.getAttribute('aria-disabled'), 'true');
  const reason = await send.getAttribute('aria-describedby');
  await untilEqual(() => page.locator(`[id="${reason}"]`).textContent(), '7 characters too many');
  const [tool, button] = [
    await page.getByRole('button', { name: 'Attach files' }).boundingBox(),
    await send.boundingBox(),
  ];
  assert(tool !== null && button !== null && tool.x < button.x, 'the tools stand before the button');
  assert(
    tool.y < button.y + button.height && button.y < tool.y + tool.height,
    'the tools and the button have one line',
  );
  await send.tap({ force: true });
  await page.getByRole('alert').getByText('The message has 10,007 characters. The limit is 10,000.').waitFor();
  assert.equal((await boxOf(page).inputValue()).length, 10_007);
  await checkAccessibility(page, 'a text that is too long', { without: ['aria-required-children', 'heading-order'] });
  // Screen readers do not hear each character of a text that is long, but not too long.
  await boxOf(page).fill('x'.repeat(9_990));
  await page.getByText('9,990 of 10,000 characters').waitFor();
  await untilEqual(() => page.getByRole('status').getByText('of 10,000').count(), 0);
  await untilEqual(() => page.getByRole('alert').getByText('The message has').count(), 0);
  await boxOf(page).fill('short');
  await until(async () => (await send.getAttribute('aria-disabled')) !== 'true', 'the button');
  await send.tap();
  await until(async () => (await sentTo(ada, channelId)).at(-1) === 'short', 'the message');
});
