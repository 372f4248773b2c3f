/** Web Push: the service worker shows what the server sent, and its buttons work without the app. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { endSessionsOf } from '@heddle/server/domain/credentials/sessions.ts';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import { TestWebPushService } from '@heddle/server/testing/services/web-push-service.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility } from '../../testing/axe.ts';
import { browserWorld, type OpenOptions, type Person } from '../../testing/browser-world.ts';
import { messageOf, sceneOf } from '../../testing/scenes.ts';
import { homeOf } from '../../testing/settled.ts';
import { contentsOn } from '../../testing/views.ts';
import { PushProfile, standInForScreen } from '../../testing/web-push.ts';

const world = browserWorld({ environment: { HEDDLE_WEB_PUSH_PRIVATE_NETWORKS: '127.0.0.1' } });

let service: TestWebPushService;
before(async () => {
  service = await TestWebPushService.start();
});
after(async () => {
  assert.deepEqual(service.problems, []);
  await service.stop();
});

const devicesOf = async ({ client }: Person) => (await client.ok('GET', '/web_push/devices')).devices;

/** Opens the app in a profile that can be notified, and turns it on in the settings. */
async function notified(person: Person, options: OpenOptions = {}): Promise<readonly [Page, PushProfile]> {
  await person.client.ok('PATCH', '/settings', { enable_online_push_notifications: true });
  const page = await world.open(person, '#settings/notifications', { hasWorker: true, ...options });
  const profile = await PushProfile.of(world, page, { person, service });
  await page.getByRole('button', { name: /^(Notify me always|Immer benachrichtigen)$/ }).click();
  const list = page.getByRole('list', { name: /^(Notified devices|Benachrichtigte Geräte)$/ });
  await list.waitFor();
  // It stays on at the next start.
  await page.reload();
  await list.waitFor();
  assert.equal((await devicesOf(person)).length, 1);
  return [page, profile];
}

const isRead = async ({ client }: Person, id: number) => {
  const { message } = await client.ok('GET', `/messages/${id}`);
  return message.flags.includes('read');
};

world.test('messages of a conversation are one notification, which is read and answered without the app', async () => {
  const { ada, bob, channelId } = await sceneOf(world);
  const [, profile] = await notified(ada);
  await profile.leave();
  const first = await bob.client.direct([ada.client.userId], 'the **warp** is ready');
  await profile.receive((payload) => payload.kind === 'message' && payload.message_id === first);
  const [shown] = await profile.shows([bob.name, 'the warp is ready']);
  assert.deepEqual(shown?.actions, ['reply', 'read']);
  assert.equal((await profile.badges()).at(-1), 1);
  const second = await bob.client.direct([ada.client.userId], 'and the weft');
  const push = await profile.receive((payload) => payload.kind === 'message' && payload.message_id === second);
  const [both] = await profile.shows([`${bob.name} (2)`, 'and the weft']);
  assert.equal(both?.tag, push.tag);
  assert.deepEqual(both?.messageIds, [first, second]);

  await profile.press(`${bob.name} (2)`, 'read');
  await profile.shows();
  assert.deepEqual([await isRead(ada, first), await isRead(ada, second)], [true, true]);

  const mention = `@**${ada.name}|${ada.client.userId}**`;
  const asked = await bob.client.send(channelId, 'looms', `${mention} are you coming?`);
  await profile.receive((payload) => payload.kind === 'message' && payload.message_id === asked);
  const [inChannel] = await profile.notices();
  assert.match(inChannel?.title ?? '', /^#weaving \d+ > looms$/);
  assert.match(inChannel?.body ?? '', new RegExp(`^${bob.name}: .*are you coming\\?$`));
  await profile.press(inChannel?.title ?? '', 'reply', 'on my way');
  await profile.shows();
  assert.deepEqual((await contentsOn(bob, channelId, 'looms')).at(-1), 'on my way');
  assert.equal(await isRead(ada, asked), true);
});

world.test('a notification goes when its message is read or deleted elsewhere', async () => {
  const { ada, bob, read } = await sceneOf(world);
  const [, profile] = await notified(ada);
  await profile.leave();
  const ids: number[] = [];
  for (const text of ['one', 'two']) {
    const id = await bob.client.direct([ada.client.userId], text);
    await profile.receive((payload) => payload.kind === 'message' && payload.message_id === id);
    ids.push(id);
  }
  const [first = 0, second = 0] = ids;
  await profile.shows([`${bob.name} (2)`, 'two']);
  await bob.client.ok('DELETE', `/messages/${second}`);
  await profile.receive(({ removed_ids }) => removed_ids.includes(second));
  await profile.shows([bob.name, 'one']);
  await read([first]);
  await profile.receive(({ removed_ids }) => removed_ids.includes(first));
  await profile.shows();
});

world.test(
  'a reply that cannot be sent stays as a notification, is sent by a press, or is a draft in the app',
  async () => {
    const { ada, bob } = await sceneOf(world);
    const [page, profile] = await notified(ada);
    await profile.leave();
    const id = await bob.client.direct([ada.client.userId], 'lunch?');
    await profile.receive((payload) => payload.kind === 'message' && payload.message_id === id);
    await profile.shows([bob.name, 'lunch?']);
    await profile.connect(false);
    await profile.press(bob.name, 'reply', 'in ten minutes');
    await profile.shows(['Your reply was not sent', 'in ten minutes']);
    await profile.press('Your reply was not sent', 'again');
    const [again] = await profile.shows(['Your reply was not sent', 'in ten minutes']);
    assert.deepEqual(again?.actions, ['again']);
    await profile.connect(true);
    await profile.press('Your reply was not sent', 'again');
    await profile.shows();
    const sent = async () => {
      const narrow = [{ operator: 'dm', operand: [ada.client.userId] }];
      const query = { narrow, anchor: 'newest', num_before: 9, num_after: 0, apply_markdown: false };
      const { messages } = await bob.client.ok('GET', '/messages', query);
      return messages.map(({ content }: { content: string }) => content);
    };
    assert.deepEqual(await sent(), ['lunch?', 'in ten minutes']);

    const next = await bob.client.direct([ada.client.userId], 'and tomorrow?');
    await profile.receive((payload) => payload.kind === 'message' && payload.message_id === next);
    await profile.shows([bob.name, 'and tomorrow?']);
    await profile.connect(false);
    await profile.press(bob.name, 'reply', 'tomorrow at noon');
    await profile.shows(['Your reply was not sent', 'tomorrow at noon']);
    await profile.connect(true);
    await page.goto(`${world.url}/#inbox`);
    await page.getByText('A reply from a notification was not sent. It is a draft.').waitFor();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    await until(async () => (await box.inputValue()) === 'tomorrow at noon', 'the draft');
    await profile.shows();
  },
);

world.test(
  'a tap opens the message in the open window; what is in use and other accounts are not notified',
  async () => {
    const { ada, bob, channelId } = await sceneOf(world);
    const [page, profile] = await notified(ada);
    await profile.leave();
    const mention = `@**${ada.name}|${ada.client.userId}**`;
    const id = await bob.client.send(channelId, 'looms', `${mention} look`);
    const payload = await profile.receive((one) => one.kind === 'message' && one.message_id === id);
    const [shown] = await profile.notices();
    assert(shown !== undefined);
    // Another account of this browser.
    await profile.deliver({ ...payload, user_id: payload.user_id + 1, tag: 'of another account' });
    // The worker handles one after the other.
    await profile.deliver(payload);
    await profile.shows([shown.title, shown.body]);
    const app = await world.open(ada, '#inbox', { beside: page });
    await app.getByRole('main').getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await world.settled(app);
    await profile.press(shown.title);
    await messageOf(app, 'look').waitFor();
    assert.match(app.url(), new RegExp(`/near/${id}$`));
    await profile.shows();
    // The app is visible now: it notifies itself, and the badge is right.
    await profile.deliver(payload);
    assert.deepEqual(await profile.notices(), []);
  },
);

world.test('the settings list the devices, and a logout ends the subscription', async () => {
  const { ada, bob } = await sceneOf(world);
  // The poll learns of the logout.
  world.expectProblems('status 401');
  const [page, profile] = await notified(ada);
  world.forgetLogin(ada);
  const list = page.getByRole('list', { name: 'Notified devices' });
  await list.getByText('This browser').waitFor();
  await page.getByRole('switch', { name: /^Show the text of messages on this device/ }).uncheck({ force: true });
  await list.getByText('Without the text of messages').waitFor();
  assert.equal((await devicesOf(ada))[0].shows_text, false);
  await checkAccessibility(page, 'the notified devices');

  await profile.leave();
  const id = await bob.client.direct([ada.client.userId], 'a secret');
  await profile.receive((payload) => payload.kind === 'message' && payload.message_id === id);
  await profile.shows([bob.name, `New message from ${bob.name}`]);

  // Another key of the server: the browser subscribes again.
  await page.goto(`${world.url}/#settings/notifications`);
  await page.evaluate(() => localStorage.setItem('test-push-key', 'AAAA'));
  await page.reload();
  await until(
    async () => (await profile.calls()).join(' ') === 'subscribe unsubscribe subscribe',
    'another subscription',
  );
  await list.getByText('Without the text of messages').waitFor();

  await list.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('This browser notifies you only while Heddle is open.').waitFor();
  assert.deepEqual(await devicesOf(ada), []);
  await page.reload();
  await page.getByRole('button', { name: 'Notify me always' }).click();
  await list.getByText('This browser').waitFor();

  await page
    .getByRole('button', { name: new RegExp(ada.name) })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL(/\/login\//);
  assert.deepEqual(await devicesOf(ada), []);
  const workers = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  // A page that leaves waits for the end of the worker, but not for long.
  await until(async () => (await workers()) === 0, 'a browser without worker');
});

world.test(
  'what the push service has ended is subscribed anew; what the user removes elsewhere stays off',
  async () => {
    const { ada } = await sceneOf(world);
    const [page, profile] = await notified(ada);
    // As after a response that the subscription is gone.
    await world.server.app.db.deleteFrom('web_push_subscriptions').where('user_id', '=', ada.client.userId).execute();
    await page.reload();
    const list = page.getByRole('list', { name: 'Notified devices' });
    await list.getByText('This browser').waitFor();
    assert.equal((await profile.calls()).join(' '), 'subscribe unsubscribe subscribe');
    const [device] = await devicesOf(ada);
    await ada.client.ok('DELETE', `/web_push/devices/${device.device_id}`);
    await page.reload();
    await page.getByText('This browser notifies you only while Heddle is open.').waitFor();
    await until(async () => (await profile.calls()).at(-1) === 'unsubscribe', 'the end of the subscription');
    assert.deepEqual(await devicesOf(ada), []);
  },
);

world.test('a login that ends while no page is open takes its notifications along at the next visit', async () => {
  const { ada, bob } = await sceneOf(world);
  world.expectProblems('status 401');
  const [page, profile] = await notified(ada);
  world.forgetLogin(ada);
  await profile.leave();
  const id = await bob.client.direct([ada.client.userId], 'a secret');
  await profile.receive((payload) => payload.kind === 'message' && payload.message_id === id);
  await profile.shows([bob.name, 'a secret']);
  await endSessionsOf(await homeOf(world.server), ada.client.userId);
  await page.goto(world.url);
  await page.waitForURL(/\/login\//);
  await profile.shows();
  await until(async () => !(await page.evaluate(() => caches.keys())).includes('heddle-account'), 'an empty browser');
});

world.test(
  'a browser notifies only an account that turned it on there, also after its session ended, and as it chose',
  async () => {
    const { ada, bob } = await sceneOf(world);
    world.expectProblems('status 401');
    const [page, profile] = await notified(ada);
    world.forgetLogin(ada);
    const list = page.getByRole('list', { name: 'Notified devices' });
    await page.getByRole('switch', { name: /^Show the text of messages on this device/ }).uncheck({ force: true });
    await list.getByText('Without the text of messages').waitFor();
    const logInAs = async ({ client, name, password }: Person) => {
      await page.waitForURL(/\/login\//);
      await page.getByRole('textbox', { name: /email/i }).fill(client.email);
      await page.getByLabel(/^Password/).fill(password);
      await page.getByRole('button', { name: 'Log in' }).click();
      // The login leads back to the page where the session ended.
      await page.getByText(`${name} (you)`).waitFor();
    };
    await endSessionsOf(await homeOf(world.server), ada.client.userId);
    await logInAs(bob);
    await page.getByText('This browser notifies you only while Heddle is open.').waitFor();
    await world.settled(page);
    assert.deepEqual(await devicesOf(bob), []);
    await endSessionsOf(await homeOf(world.server), bob.client.userId);
    await logInAs(ada);
    await list.getByText('Without the text of messages').waitFor();
    assert.equal((await profile.calls()).at(-1), 'subscribe');
  },
);

world.test('where a page cannot notify, the worker does', async () => {
  const { ada, bob } = await sceneOf(world);
  // The profile of a test is private, and has no push service.
  world.expectProblems('does not support the Push API in incognito mode');
  const page = await world.open(ada, '#inbox', { hasWorker: true, device: 'phone' });
  await page.addInitScript(standInForScreen);
  await page.addInitScript(() => {
    class OfWorkersOnly {
      static readonly permission = 'granted';
      constructor() {
        throw new TypeError('Illegal constructor');
      }
    }
    Object.assign(globalThis, { Notification: OfWorkersOnly });
  });
  await page.reload();
  await page.getByRole('main').first().waitFor();
  const worker = await until(() => page.context().serviceWorkers()[0], 'the worker');
  await worker.evaluate(standInForScreen);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const titles = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body }) => `${title}: ${body}`);
    });
  const id = await bob.client.direct([ada.client.userId], 'hello');
  await until(async () => (await titles()).join() === `${bob.name}: hello`, 'the notification of the worker');
  await ada.client.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: JSON.stringify([id]) });
  await until(async () => (await titles()).length === 0, 'the notification goes');
});

world.test('auf Deutsch: auf dem iPhone sagt die App, was zu tun ist, statt zu fragen', async () => {
  const { ada, bob } = await sceneOf(world);
  await ada.client.ok('PATCH', '/settings', { default_language: 'de' });
  const page = await world.open(ada, '#settings/notifications', { device: 'phone', locale: 'de-DE' });
  await page.addInitScript(() => {
    Object.assign(Navigator.prototype, { standalone: false });
    Reflect.deleteProperty(globalThis, 'Notification');
  });
  await page.reload();
  await page.getByText('Heddle kann dich auf diesem Gerät benachrichtigen, wenn es installiert ist.').waitFor();
  await checkAccessibility(page, 'notifications of a phone of Apple');
  await page.goto(`${world.url}/#inbox`);
  await bob.client.direct([ada.client.userId], 'hallo');
  await page.getByText(`${bob.name} hat dir geschrieben.`).waitFor();
  await checkAccessibility(page, 'a missed message on a phone of Apple');
  await page.getByRole('button', { name: 'So geht es' }).tap();
  const dialog = page.getByRole('dialog', { name: 'App installieren' });
  await dialog.getByText('Zum Home-Bildschirm').waitFor();
  await untilEqual(() => page.getByRole('button', { name: 'Benachrichtigungen einschalten' }).count(), 0);
});
