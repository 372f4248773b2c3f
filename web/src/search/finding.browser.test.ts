import assert from 'node:assert/strict';
import { upload } from '@heddle/server/testing/clients/user-files.ts';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { checkAccessibilityEverywhere } from '../../testing/axe.ts';
import { browserWorld } from '../../testing/browser-world.ts';

const world = browserWorld();

world.test('results have a number, chips to remove by keyboard, marked topics, and an order by relevance', async () => {
  const [ada, bo] = [await world.user({ name: 'Ada Vat' }), await world.user({ name: 'Bo Mordant' })];
  const principals = [ada.client.userId, bo.client.userId];
  const channelId = await world.server.emptyChannel(world.owner.client, 'dye house', { principals });
  await bo.client.send(channelId, 'madder and weld', 'the newest is not the best');
  for (let count = 0; count < 60; count += 1) {
    await bo.client.send(channelId, 'notes', `note ${count} with one madder in a long sentence`);
  }
  await bo.client.send(channelId, 'notes', 'madder madder madder');
  const page = await world.open(ada, `#narrow/channel/${channelId}/sender/${bo.client.userId}/search/madder`);
  await page.getByText('62 results').waitFor();
  await page.getByRole('button', { name: 'Remove the condition: sent by Bo Mordant' }).focus();
  await page.keyboard.press('Backspace');
  await page.waitForURL(/channel\/\d+-dye-house\/search\/madder$/);
  await page.getByRole('button', { name: 'Remove the condition: madder' }).and(page.locator(':focus')).waitFor();
  // The best ones: a word in the topic, then the most of them in the text.
  await page.keyboard.press('Alt+r');
  const articles = page.getByRole('article');
  await articles.first().getByText('the newest is not the best').waitFor();
  assert.match((await articles.nth(1).textContent()) ?? '', /madder madder madder/);
  await untilEqual(
    () =>
      page
        .getByRole('heading', { name: /madder and weld/ })
        .locator('mark')
        .first()
        .textContent(),
    'madder',
  );
  await checkAccessibilityEverywhere(page, 'results by relevance');
  // A message that is deleted leaves.
  await page.keyboard.press('j');
  await articles.first().and(page.locator(':focus')).waitFor();
  const { messages } = await bo.client.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
  await world.owner.client.ok('DELETE', `/messages/${messages[0].id}`);
  await page.getByText('madder madder madder').waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'By date' }).click();
  await articles.filter({ hasText: 'in a long sentence' }).first().waitFor();
  // Also the bar above messages of a topic marks the words.
  await page.goto(`${world.url}/#narrow/search/weld`);
  await page.getByText('1 result', { exact: true }).waitFor();
  await untilEqual(() => page.getByRole('link', { name: 'madder and weld' }).locator('mark').textContent(), 'weld');
});

world.test('the box finds people and files, and remembers searches until they are forgotten', async () => {
  const [ada, bo] = [await world.user({ name: 'Ada Files' }), await world.user({ name: 'Bo Indigo' })];
  const uri = await upload(world.url, bo.client, 'a recipe', { name: 'indigo-recipe.txt' });
  const foreign = 'https://example.com/user_uploads/2/ab/indigo-foreign.txt';
  await bo.client.direct(
    [ada.client.userId],
    `here: [indigo-recipe.txt](${uri}), not [indigo-foreign.txt](${foreign})`,
  );
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, '#inbox', { device: 'phone', locale: 'de-DE' });
  await page.getByRole('button', { name: 'Suchen' }).first().click();
  const field = page.getByRole('combobox', { name: 'Suchen' });
  await field.fill('indigo');
  await page.getByRole('option', { name: /^Bo Indigo/ }).waitFor();
  await page.getByRole('option', { name: /indigo-recipe\.txt.*Bo Indigo/ }).waitFor();
  await untilEqual(() => page.getByRole('option', { name: /indigo-foreign/ }).count(), 0);
  await page.getByRole('option', { name: /indigo-recipe\.txt.*Bo Indigo/ }).click();
  await page.waitForURL(/dm\/.*near\/\d+$/);
  await page.getByRole('link', { name: 'indigo-recipe.txt' }).waitFor();
  // An own file that was uploaded since the last search.
  await upload(world.url, ada.client, 'notes', { name: 'indigo-notes.txt' });
  await world.settled(page);
  await page.goto(`${world.url}/#inbox`);
  await page.getByRole('button', { name: 'Suchen' }).first().click();
  await field.fill('indigo');
  await page.getByRole('option', { name: /indigo-notes\.txt/ }).waitFor();
  // With a condition, files are not offered.
  await page.getByRole('option', { name: /^gesendet von Bo Indigo/ }).click();
  await field.fill('indigo');
  await page.getByRole('option', { name: 'Nachrichten mit „indigo“' }).waitFor();
  await untilEqual(() => page.getByRole('option', { name: /indigo-notes\.txt/ }).count(), 0);
  await field.press('Home');
  await field.press('Backspace');
  await page.getByRole('option', { name: /indigo-notes\.txt/ }).waitFor();
  // The pointer rests where it clicked, and the list has changed under it.
  await untilEqual(() => page.getByRole('option', { selected: true }).innerText(), 'Nachrichten mit „indigo“');
  await field.press('Enter');
  await page.getByText('1 Ergebnis', { exact: true }).waitFor();
  await page.goto(`${world.url}/#inbox`);
  await page.reload();
  await page.getByRole('button', { name: 'Suchen' }).first().click();
  await page.getByRole('option', { name: 'indigo', exact: true }).waitFor();
  await page.getByRole('option', { name: 'Diese Suchen vergessen' }).click();
  await page.getByRole('option', { name: 'indigo', exact: true }).waitFor({ state: 'detached' });
  await field.fill('bo ind');
  await page.getByRole('option', { name: /^Bo Indigo/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Bo Indigo' }).waitFor();
});

world.test(
  'auf Deutsch: kein Vorschlag sucht zugleich in Kanälen und Direktnachrichten, und getippt erklärt sich die Suche',
  async () => {
    const ada = await world.user({ name: 'Ada Filz' });
    await world.user({ name: 'Bo Filzer' });
    await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
    const principals = [ada.client.userId];
    const channelId = await world.server.emptyChannel(world.owner.client, 'filzerei', { principals });
    const page = await world.open(ada, `#narrow/channel/${channelId}`, { locale: 'de-DE' });
    await page.getByRole('main').getByRole('button', { name: 'Suchen', exact: true }).click();
    await page.getByRole('button', { name: 'Bedingung entfernen: in #filzerei' }).waitFor();
    const field = page.getByRole('combobox', { name: 'Suchen' });
    const offers = async (shown: RegExp, ...absent: readonly RegExp[]) => {
      await page.getByRole('option', { name: shown }).first().waitFor();
      for (const name of absent)
        await untilEqual(() => page.getByRole('option', { name }).count(), 0, `${name} is offered`);
    };
    await offers(/^sender:/, /^dm:/, /^dm-including:/);
    await field.fill('bo filz');
    await offers(/^gesendet von Bo Filzer/, /^mit Bo Filzer/);
    await field.fill('is:');
    await offers(/^ungelesene Nachrichten/, /^Direktnachrichten/);
    await field.fill('-is:');
    await offers(/^nicht: Direktnachrichten/);
    await field.fill('dm:');
    await page.getByText('Suche mit der Eingabetaste.').waitFor();
    world.expectProblems(/status 400: GET .*narrow/);
    await field.fill('is:dm ');
    await page.getByRole('button', { name: 'Bedingung entfernen: Direktnachrichten' }).waitFor();
    const reason = page.getByText('Eine Nachricht steht in einem Kanal oder ist eine Direktnachricht, nie beides.');
    await page.getByRole('dialog').filter({ has: reason }).waitFor();
    await untilEqual(() => page.getByRole('option').count(), 0);
    await field.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await reason.waitFor();
    await page.getByRole('button', { name: 'Ohne „Direktnachrichten“' }).click();
    await page.getByRole('heading', { level: 1, name: 'filzerei' }).waitFor();
    // Of the earlier searches only those are offered that the server accepts.
    await page.goto(`${world.url}/#narrow/has/link`);
    await page.getByRole('main').getByRole('button', { name: 'Suchen', exact: true }).click();
    await field.press('Home');
    await field.press('Backspace');
    await offers(/^sender:/, /in #filzerei/);
  },
);
