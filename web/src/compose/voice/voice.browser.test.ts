import assert from 'node:assert/strict';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import { checkAccessibility } from '../../../testing/axe.ts';
import { browserWorld } from '../../../testing/browser-world.ts';
import { messageOf, sceneOf } from '../../../testing/scenes.ts';

const world = browserWorld();

world.test('a voice message is recorded, heard and sent, and its waveform is in the feed', async () => {
  const { ada, bob, route, write } = await sceneOf(world);
  await write('the warp is ready');
  const page = await world.open(ada, route, { device: 'phone' });
  await messageOf(page, 'the warp is ready').waitFor();
  // The browser of the tests has no microphone. It records a tone instead.
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext();
      const tone = new OscillatorNode(context);
      const end = context.createMediaStreamDestination(); // wire name: the platform's
      tone.connect(end);
      tone.start();
      return end.stream; // wire name: the platform's
    };
  });
  await page.getByRole('button', { name: 'More tools' }).tap();
  await page.getByRole('menuitem', { name: 'Voice message' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Voice message' });
  await dialog.getByRole('button', { name: 'Record', exact: true }).tap();
  await dialog.getByText(/^\d:(?!00)\d\d of 10:00$/).waitFor();
  await checkAccessibility(page, 'recording', { part: 'overlays' });
  await dialog.getByRole('button', { name: 'Stop' }).tap();
  const own = dialog.locator('audio');
  await own.waitFor();
  await page.waitForFunction((audio) => (audio as HTMLAudioElement).readyState > 0, await own.elementHandle());
  await checkAccessibility(page, 'a recording', { part: 'overlays' });
  await dialog.getByRole('button', { name: 'Send' }).tap();
  await dialog.waitFor({ state: 'detached' });
  const sent = page.getByRole('article').filter({ has: page.locator('audio') });
  await sent.locator('.waveform[data-drawn] path').first().waitFor();
  const path = await sent.locator('.waveform path').first().getAttribute('d');
  assert.equal(path?.match(/M/g)?.length, 64);
  await untilEqual(() => page.getByRole('textbox', { name: 'Message', exact: true }).inputValue(), '');
  // Others hear it.
  const other = await world.open(bob, route);
  const heard = other.getByRole('article').locator('audio');
  await heard.waitFor();
  await until(() => heard.evaluate((audio) => (audio as HTMLAudioElement).readyState > 0), 'the file can be played');
  await checkAccessibility(other, 'a voice message', { part: 'main' });
});

world.test('auf Deutsch: ohne Erlaubnis sagt die App, was zu tun ist', async () => {
  const { ada, route, write } = await sceneOf(world);
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  await write('der Zettel ist fertig');
  const page = await world.open(ada, route, { device: 'phone', locale: 'de-DE', permissions: [] });
  await messageOf(page, 'der Zettel ist fertig').waitFor();
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: 'Weitere Werkzeuge' }).tap();
  await page.getByRole('menuitem', { name: 'Sprachnachricht' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Sprachnachricht' });
  await dialog.getByRole('button', { name: 'Aufnehmen' }).tap();
  await dialog.getByText('Der Browser lässt die App kein Mikrofon benutzen.').waitFor();
  await untilEqual(() => dialog.getByRole('button', { name: 'Senden' }).count(), 0);
});
