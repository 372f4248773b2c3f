/** What people write is refused: they are too fast, a text or file is too large, or they lose a permission. */
import assert from 'node:assert/strict';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { browserWorld } from './browser-world.ts';
import { faultScene, send } from './fault-scene.ts';
import { faultyFront } from './faulty-front.ts';
import { allowWriting } from './scenes.ts';
import { assertSameAsFresh, boxOf, messageOf } from './views.ts';

const front = faultyFront();
const world = browserWorld({ front: front.start });

/** What the server says to a client that is too fast. */
const TOO_FAST = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '0.2' },
  body: JSON.stringify({ result: 'error', msg: 'Too many requests', code: 'RATE_LIMIT_HIT', 'retry-after': 0.2 }),
};

/** What a proxy with a lower limit says. */
const TOO_LARGE = {
  status: 413,
  headers: { 'content-type': 'text/html' },
  body: '<html><h1>413 Request Entity Too Large</h1></html>',
};

world.test('too many requests (429): messages, drafts and read marks arrive later, and once', async () => {
  const { ada, route, write, sentByAda } = await faultScene(world);
  world.expectProblems('status 429');
  const timesRefused: Readonly<Record<string, number>> = {
    'GET /json/messages': 3,
    'POST /json/messages/flags': 3,
    'POST /json/messages': 1,
  };
  const refused = new Map<string, number>();
  world.atEnd(async () => {
    front.proxy.decide = () => 'pass';
  });
  // Reads and marks are refused until the app itself must try again, the others once.
  front.proxy.decide = ({ method, path }) => {
    const kind = `${method} ${/^\/json\/(?:messages(?:\/flags)?|drafts)/.exec(path)?.[0]}`;
    const count = refused.get(kind) ?? 0;
    if (kind.endsWith('undefined') || count === (timesRefused[kind] ?? 1)) return 'pass';
    refused.set(kind, count + 1);
    return TOO_FAST;
  };
  const page = await world.open(ada, route);
  await messageOf(page, 'before the fault').waitFor();
  for (const text of ['one', 'two', 'two']) await send(page, text);
  await boxOf(page).fill('not finished');
  await write('arrives between');
  await messageOf(page, 'arrives between').waitFor();
  await assertSameAsFresh(world, ada, page);
  await untilEqual(() => boxOf(page).inputValue(), 'not finished');
  assert.deepEqual(await sentByAda(), ['one', 'two', 'two']);
  for (const [kind, count] of Object.entries(timesRefused)) assert.equal(refused.get(kind), count, kind);
});

world.test('a text that is too large for a proxy (413) stays with a reason, also after a reload', async () => {
  const { ada, route, sentByAda } = await faultScene(world);
  world.expectProblems('status 413');
  const page = await world.open(ada, route);
  await messageOf(page, 'before the fault').waitFor();
  front.proxy.decide = ({ method, path }) => (method === 'POST' && path === '/json/messages' ? TOO_LARGE : 'pass');
  world.atEnd(async () => {
    front.proxy.decide = () => 'pass';
  });
  await send(page, 'too large');
  await messageOf(page, 'too large').getByText('Not sent: The message is too large for the server.').waitFor();
  await boxOf(page).fill('not finished');
  await page.waitForFunction(() => JSON.stringify(localStorage).includes('not finished'));
  await page.reload();
  await messageOf(page, 'too large').getByText('Not sent:').waitFor();
  await untilEqual(() => boxOf(page).inputValue(), 'not finished');
  assert.deepEqual(await sentByAda(), []);
  front.proxy.decide = () => 'pass';
  await messageOf(page, 'too large').getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Not sent:').waitFor({ state: 'detached' });
  await assertSameAsFresh(world, ada, page);
  await untilEqual(() => boxOf(page).inputValue(), 'not finished');
  assert.deepEqual(await sentByAda(), ['too large']);
});

world.test('a file that is too large for a proxy (413) is refused with a reason, and the text stays', async () => {
  const { ada, route, sentByAda } = await faultScene(world);
  world.expectProblems('status 413');
  const page = await world.open(ada, route);
  await messageOf(page, 'before the fault').waitFor();
  await boxOf(page).fill('with a file');
  front.proxy.decide = ({ method, path }) => (method !== 'GET' && path.includes('/tus') ? TOO_LARGE : 'pass');
  world.atEnd(async () => {
    front.proxy.decide = () => 'pass';
  });
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('warp and weft') };
  await page.getByLabel('Files', { exact: true }).setInputFiles([file]);
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await uploads.getByText('The file is too large for the server.').waitFor();
  await uploads.getByRole('button', { name: 'Remove notes.txt' }).click();
  await uploads.waitFor({ state: 'detached' });
  assert.equal((await boxOf(page).inputValue()).trim(), 'with a file');
  await boxOf(page).press('Control+Enter');
  await messageOf(page, 'with a file').waitFor();
  await assertSameAsFresh(world, ada, page);
  assert.deepEqual(await sentByAda(), ['with a file']);
});

world.test(
  'a permission that is lost while a person writes: nothing is lost, and it is sent when it is back',
  async () => {
    const { ada, channelId, route, sentByAda } = await faultScene(world);
    world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED');
    // The server refuses what was on its way.
    world.expectProblems(/status 400: .*\/json\/(?:drafts|typing|messages)/);
    const page = await world.open(ada, route);
    await messageOf(page, 'before the fault').waitFor();
    await page.context().setOffline(true);
    await send(page, 'written before');
    await boxOf(page).fill('not finished');
    await allowWriting(world, channelId, false);
    await page.context().setOffline(false);
    await messageOf(page, 'written before').getByText('Not sent:').waitFor();
    await page.getByText('You are not allowed to write in this channel.', { exact: true }).waitFor();
    assert.deepEqual(await sentByAda(), []);
    await allowWriting(world, channelId, true);
    await boxOf(page).waitFor();
    await untilEqual(() => boxOf(page).inputValue(), 'not finished');
    await messageOf(page, 'written before').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Not sent:').waitFor({ state: 'detached' });
    await assertSameAsFresh(world, ada, page);
    await untilEqual(() => boxOf(page).inputValue(), 'not finished');
    assert.deepEqual(await sentByAda(), ['written before']);
  },
);

world.test(
  'auf Deutsch: was der Server ablehnt, steht mit dem Grund auf Deutsch da, auch nach dem Neuladen',
  async () => {
    const { ada, route } = await faultScene(world);
    await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
    await world.owner.client.ok('POST', '/user_groups/create', {
      name: 'blaufärber',
      description: 'woad',
      members: [],
      can_mention_group: { direct_members: [world.owner.client.userId], direct_subgroups: [] },
    });
    world.expectProblems('status 400: POST');
    const page = await world.open(ada, route, { locale: 'de-DE' });
    await messageOf(page, 'before the fault').waitFor();
    const box = page.getByRole('textbox', { name: 'Nachricht', exact: true });
    await box.fill('an @*blaufärber* im Keller');
    await box.press('Control+Enter');
    const reason = messageOf(page, 'im Keller').getByText(
      'Nicht gesendet: Du darfst die Gruppe blaufärber nicht erwähnen.',
    );
    await reason.waitFor();
    await page.reload();
    await reason.waitFor();
  },
);
