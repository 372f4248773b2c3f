/** The server is killed and starts again while people use the app. */
import assert from 'node:assert/strict';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { browserWorld } from './browser-world.ts';
import { faultScene } from './fault-scene.ts';
import { faultyFront } from './faulty-front.ts';
import { assertSameAsFresh, boxOf, messageOf } from './views.ts';

const front = faultyFront({ isKillable: true });
const world = browserWorld({ front: front.start, environment: { HEDDLE_BUS: 'postgres' } });

world.test('the server is killed and starts again while a person types and sends', async () => {
  const { ada, route, write, sentByAda } = await faultScene(world);
  world.expectProblems('no response', 'status 5', 'ERR_EMPTY_RESPONSE');
  const page = await world.open(ada, route);
  const box = boxOf(page);
  const sent: string[] = [];
  const send = async (text: string) => {
    await box.pressSequentially(text);
    await box.press('Control+Enter');
    sent.push(text);
  };
  for (let round = 1; round <= 2; round += 1) {
    await send(`before kill ${round}`);
    await send(`at kill ${round}`);
    await front.kill();
    await send(`without a server ${round}`);
    // The same text twice is two messages.
    await send('equal');
    await send('equal');
    await write(`meanwhile ${round}`);
    await box.pressSequentially(`typed ${round}, `);
    const restarted = front.restart();
    await box.pressSequentially(`and during the start ${round}`);
    await restarted;
    await messageOf(page, `meanwhile ${round}`).waitFor();
    await untilEqual(() => box.inputValue(), `typed ${round}, and during the start ${round}`);
    await send(' and after it');
    sent[sent.length - 1] = `typed ${round}, and during the start ${round} and after it`;
    await messageOf(page, `typed ${round}`).waitFor();
  }
  await page.getByText('Not sent yet').first().waitFor({ state: 'detached' });
  // The view equals a fresh one when the last message has arrived.
  await assertSameAsFresh(world, ada, page);
  assert.deepEqual(await sentByAda(), sent);
});

world.test('what a person wrote before the page was closed is sent when the server is back', async () => {
  const { ada, route, write, sentByAda } = await faultScene(world);
  world.expectProblems('no response', 'status 5', 'ERR_EMPTY_RESPONSE');
  const page = await world.open(ada, route);
  const box = boxOf(page);
  await messageOf(page, 'before the fault').waitFor();
  await front.kill();
  await box.fill('written without a server');
  await box.press('Control+Enter');
  await messageOf(page, 'written without a server').getByText('Not sent yet').waitFor();
  await box.fill('not finished');
  // The draft of this browser.
  await page.waitForFunction(() => JSON.stringify(localStorage).includes('not finished'));
  const beside = await page.context().newPage();
  await page.close();
  await write('meanwhile');
  await front.restart();
  await beside.goto(`${world.url}/${route}`);
  await messageOf(beside, 'meanwhile').waitFor();
  await messageOf(beside, 'written without a server').waitFor();
  await beside.getByText('Not sent yet').waitFor({ state: 'detached' });
  await untilEqual(() => boxOf(beside).inputValue(), 'not finished');
  await assertSameAsFresh(world, ada, beside);
  assert.deepEqual(await sentByAda(), ['written without a server']);
});
