import assert from 'node:assert/strict';
import { inSeconds } from '@heddle/server/testing/server/due.ts';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld, type Person } from '../../testing/browser-world.ts';

const world = browserWorld();

interface Noted {
  readonly notes: readonly string[];
  readonly sounds: readonly string[];
}

/** Records what the page shows and plays, because a headless browser does neither. */
async function record(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted = { notes: [] as string[], sounds: [] as string[] };
    class RecordedNotification {
      static permission = 'granted';
      constructor(title: string) {
        noted.notes.push(title);
      }
      close() {}
    }
    class RecordedAudio {
      ended = true;
      paused = true;
      constructor(url: string) {
        noted.sounds.push(/([a-z]+)-[^/]*\.wav$/.exec(url)?.[1] ?? url);
      }
      pause() {}
      play = async () => undefined;
    }
    Object.assign(globalThis, { Notification: RecordedNotification, Audio: RecordedAudio, noted });
  });
  await page.reload();
  await page.getByRole('main').first().waitFor();
}

const noted = (page: Page): Promise<Noted> =>
  page.evaluate(() => {
    const { notes, sounds } = (globalThis as unknown as { noted: Noted }).noted;
    return { notes, sounds };
  });

const account = (page: Page) => page.getByRole('button', { name: /Your account|Dein Konto/ });

async function hoursOf({ client }: Person) {
  const { state } = await client.register({
    client_capabilities: { quiet_hours: true },
    fetch_event_types: ['quiet_hours'],
  });
  return state.quiet_hours;
}

world.test('a pause silences the own devices, others see it on the card, and resuming ends it', async () => {
  const [ada, bob] = [await world.user({ name: 'Ada Weaver' }), await world.user({ name: 'Bob Dyer' })];
  const cy = await world.user({ name: 'Cy Fuller' });
  const page = await world.open(ada, '#inbox');
  await record(page);
  const other = await world.open(ada, '#inbox');
  await account(page).click();
  await page.getByRole('menuitem', { name: 'Pause notifications' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pause notifications' });
  await dialog.getByRole('button', { name: 'For 1 hour' }).waitFor();
  await checkAccessibility(page, 'the choice of a pause', { part: 'overlays' });
  await dialog.getByRole('button', { name: 'For 1 hour' }).click();
  await dialog.waitFor({ state: 'detached' });
  // The other device follows.
  for (const one of [page, other]) await one.getByRole('img', { name: 'Notifications paused' }).waitFor();
  const { paused_until } = await hoursOf(ada);
  assert(Math.abs(paused_until - inSeconds(3600)) < 600, String(paused_until));

  await bob.client.direct([ada.client.userId], 'in the pause');
  await page.waitForFunction(() => document.title.startsWith('('));
  await world.settled(page);
  await ada.client.ok('PATCH', '/users/me/quiet_hours', { except_direct_messages: true });
  await world.settled(page);
  await cy.client.direct([ada.client.userId], 'an exception');
  await until(async () => {
    const { notes, sounds } = await noted(page);
    return notes.length > 0 && sounds.length > 0;
  }, 'a notification and its sound');
  assert.deepEqual(await noted(page), { notes: ['Cy Fuller'], sounds: ['zulip'] });

  // Another person sees it.
  const bobs = await world.open(bob, `#user/${ada.client.userId}`);
  await bobs
    .getByRole('main')
    .getByText(/^Notifications are paused until/)
    .waitFor();
  await account(page).click();
  await page.getByRole('menuitem', { name: /Notifications paused Until/ }).click();
  await dialog.getByText(/Notifications are paused until/).waitFor();
  await dialog.getByRole('button', { name: 'Resume' }).click();
  for (const one of [page, other])
    await one.getByRole('img', { name: 'Notifications paused' }).waitFor({ state: 'detached' });
  await bob.client.direct([ada.client.userId], 'afterwards');
  await page.waitForFunction(() => (globalThis as unknown as { noted: Noted }).noted.notes.length > 1);
  assert.deepEqual((await noted(page)).notes, ['Cy Fuller', 'Bob Dyer']);
  await bobs.reload();
  await bobs.getByRole('main').getByRole('heading', { name: 'Ada Weaver' }).waitFor();
  await world.settled(bobs);
  await untilEqual(() => bobs.getByText(/^Notifications are paused/).count(), 0);
  // Others do not learn when a window of the schedule ends.
  const schedule = [{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 0 }];
  await ada.client.ok('PATCH', '/users/me/quiet_hours', { schedule });
  await bobs.reload();
  await bobs.getByRole('main').getByText('Notifications are paused.', { exact: true }).waitFor();
});

world.test('the settings have hours of every week, and six sounds with a button to hear each', async () => {
  const ada = await world.user({ name: 'Ada Weaver' });
  const page = await world.open(ada, '#settings/notifications');
  await record(page);
  const names = ['Chime', 'Ding', 'Drop', 'Knock', 'Pluck', 'Shuttle'];
  for (const name of names) await page.getByRole('button', { name: `Play “${name}”` }).click();
  await until(async () => (await noted(page)).sounds.length >= names.length, 'six sounds');
  assert.deepEqual((await noted(page)).sounds, ['chime', 'ding', 'drop', 'knock', 'pluck', 'zulip']);
  await page.getByRole('radio', { name: 'Knock' }).check({ force: true });
  await until(async () => {
    const { state } = await ada.client.register({
      fetch_event_types: ['user_settings'],
      client_capabilities: { user_settings_object: true },
    });
    return state.user_settings.notification_sound === 'knock';
  }, 'the chosen sound on the server');

  const section = page.getByRole('region', { name: 'Quiet hours' });
  await section.getByRole('button', { name: 'Add hours of every week' }).click();
  await section.getByText('On the next day').waitFor();
  for (const day of ['Saturday', 'Sunday']) await section.getByRole('checkbox', { name: day }).uncheck({ force: true });
  await section.getByLabel('From').fill('20:30');
  await section.getByLabel('To').fill('08:15');
  await checkAccessibility(page, 'the hours of every week');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  assert.deepEqual((await hoursOf(ada)).schedule, [{ days: [1, 2, 3, 4, 5], from: 1230, to: 495 }]);
  await section.getByText(/^The times are those of/).waitFor();
  await section.getByRole('button', { name: 'Remove' }).click();
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  assert.deepEqual((await hoursOf(ada)).schedule, []);
});

world.test('on a phone in German, a member pauses until tomorrow, and the schedule says when it is quiet', async () => {
  const ada = await world.user({ name: 'Ada Ruhe' });
  await ada.client.ok('PATCH', '/settings', { default_language: 'de', timezone: 'Europe/Berlin' });
  const page = await world.open(ada, '#inbox', { device: 'phone', locale: 'de-DE' });
  await page.getByRole('button', { name: 'Menü' }).click();
  await account(page).click();
  await page.getByRole('menuitem', { name: 'Benachrichtigungen pausieren' }).click();
  const dialog = page.getByRole('dialog', { name: 'Benachrichtigungen pausieren' });
  await dialog.getByRole('button', { name: /^Bis morgen, / }).waitFor();
  await checkAccessibility(page, 'the choice of a pause on a phone', { part: 'overlays' });
  await dialog.getByRole('button', { name: /^Bis morgen, / }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('img', { name: 'Benachrichtigungen pausiert' }).waitFor();
  await page.goto(`${world.url}/#settings/notifications`);
  const section = page.getByRole('region', { name: 'Ruhezeiten' });
  await section.getByText(/^Benachrichtigungen pausieren bis/).waitFor();
  await section.getByRole('button', { name: 'Fortsetzen' }).click();
  await section.getByText('Benachrichtigungen sind an.').waitFor();
  await section.getByRole('button', { name: 'Wöchentliche Zeiten hinzufügen' }).click();
  await section.getByText('Am nächsten Tag').waitFor();
  await section.getByText('Die Zeiten gelten in Europe/Berlin, wie in deinem Profil.').waitFor();
  await checkAccessibility(page, 'the hours of every week on a phone');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= 390, `${width} px wide`);
  await section.getByRole('button', { name: 'Speichern' }).click();
  await section.getByRole('button', { name: 'Abbrechen' }).waitFor({ state: 'detached' });
  assert.equal((await hoursOf(ada)).schedule.length, 1);
});
