import assert from 'node:assert/strict';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { checkAccessibility, checkAccessibilityEverywhere } from '../../testing/axe.ts';
import { browserWorld, type Person } from '../../testing/browser-world.ts';

const world = browserWorld();

let made = 0;

/** Rules about the feed and about what screen readers were told, which have tests of their own. */
const CHECKED_ELSEWHERE = ['aria-required-children', 'heading-order', 'role-img-alt'];

/** A channel with a person who is subscribed beside the owner. */
async function scene(): Promise<{ ada: Person; channelId: number; channel: string; route: string }> {
  made += 1;
  const channel = `weaving ${made}`;
  const ada = await world.user({ name: `Ada Weaver ${made}` });
  const channelId = await world.server.emptyChannel(world.owner.client, channel, { principals: [ada.client.userId] });
  await ada.client.send(channelId, 'looms', 'Which loom?');
  return { ada, channelId, channel, route: `#narrow/channel/${channelId}/topic/looms` };
}

function boxOf(page: Page) {
  return page.getByRole('textbox', { name: 'Message', exact: true });
}

/** The Markdown of the newest message of the topic. */
async function newestOf({ client }: Person, channelId: number, topic = 'looms'): Promise<string> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ];
  const query = { narrow, anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
  const { messages } = await client.ok('GET', '/messages', query);
  return String(messages.at(-1)?.content);
}

world.test('a message appears at once and reaches others; the setting decides what Enter does', async () => {
  const { ada, route } = await scene();
  const page = await world.open(world.owner, route);
  const other = await world.open(ada, route);
  const box = boxOf(page);
  await box.fill('The big one');
  await box.press('Control+Enter');
  await page.getByRole('article').getByText('The big one').waitFor();
  await untilEqual(() => box.inputValue(), '');
  await other.getByRole('article').getByText('The big one').waitFor();
  await world.owner.client.ok('PATCH', '/settings', { enter_sends: false });
  await world.settled(page);
  await box.fill('one');
  await page.waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement);
  await box.press('End');
  await box.press('Enter');
  await box.pressSequentially('two');
  await untilEqual(() => box.inputValue(), 'one\ntwo');
  await checkAccessibilityEverywhere(page, 'the compose box', { without: CHECKED_ELSEWHERE });
});

world.test('a new message needs only the keyboard: Enter chooses the first match and moves on', async () => {
  const { ada, channelId, channel } = await scene();
  const page = await world.open(world.owner, '#recent');
  await page.getByRole('button', { name: 'New message' }).waitFor();
  await page.keyboard.press('c');
  await page.getByRole('combobox', { name: 'Channel' }).pressSequentially(channel);
  await page.getByRole('option', { name: channel }).waitFor();
  await page.keyboard.press('Enter');
  const topic = page.getByRole('combobox', { name: 'Topic' });
  await topic.pressSequentially('shuttles');
  await topic.press('Enter');
  await page.keyboard.type('From the loom');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('article').getByText('From the loom').waitFor();
  await until(async () => (await newestOf(world.owner, channelId, 'shuttles')) === 'From the loom', 'the sent message');
  // The user goes on writing in the conversation.
  const box = boxOf(page);
  await box.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  const people = page.getByRole('combobox', { name: 'People' });
  await people.pressSequentially(ada.name);
  await page.getByRole('option', { name: ada.name }).waitFor();
  await people.press('Enter');
  await people.press('Enter');
  await page.keyboard.type('Come here');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('article').getByText('Come here').waitFor();
  await until(async () => {
    const { messages } = await ada.client.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    return String(messages.at(-1)?.content).includes('Come here');
  }, 'the sent message');
});

world.test('suggestions complete people, channels, topics, emoji and languages by keyboard', async () => {
  const { ada, channelId, channel, route } = await scene();
  const page = await world.open(world.owner, route);
  const box = boxOf(page);
  await box.pressSequentially(`@ada weaver ${made}`);
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await list.getByRole('option', { name: ada.name, selected: true }).waitFor();
  assert.match(String(await box.getAttribute('aria-activedescendant')), /-0$/);
  await box.press('Enter');
  await untilEqual(() => box.inputValue(), `@**${ada.name}** `);
  await box.pressSequentially(`#${channel}`);
  await list.getByRole('option', { name: channel }).waitFor();
  await box.press('>');
  await list.getByRole('option', { name: 'looms' }).waitFor();
  await box.press('Tab');
  await box.pressSequentially(':octo');
  await list.getByRole('option', { name: 'octopus' }).waitFor();
  await box.press('Enter');
  await untilEqual(() => box.inputValue(), `@**${ada.name}** #**${channel}>looms** :octopus: `);
  await box.press('Shift+Enter');
  await box.pressSequentially('```pyt');
  await list.getByRole('option', { name: 'python' }).first().waitFor();
  await box.press('Enter');
  await box.pressSequentially('print()');
  assert.match(await box.inputValue(), /```python\nprint\(\)\n```$/);
  await box.press('Control+Enter');
  await page.getByRole('article').getByText('print()').waitFor();
  await until(async () => /octopus/.test(await newestOf(ada, channelId)), 'the sent message');
  await box.pressSequentially('@ada');
  await list.waitFor();
  await box.press('Escape');
  await list.waitFor({ state: 'detached' });
  await untilEqual(() => box.inputValue(), '@ada');
});

world.test('a draft survives a reload and reaches other devices; sending deletes it', async () => {
  const { route } = await scene();
  const page = await world.open(world.owner, route);
  await boxOf(page).fill('not finished');
  await page.waitForFunction(() => JSON.stringify(localStorage).includes('not finished'));
  await page.reload();
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'not finished');
  const phone = await world.open(world.owner, route, { device: 'phone' });
  await phone.waitForFunction(() => document.querySelector('textarea')?.value === 'not finished');
  await boxOf(page).fill('now finished');
  await phone.waitForFunction(() => document.querySelector('textarea')?.value === 'now finished');
  await boxOf(page).press('Control+Enter');
  await phone.waitForFunction(() => document.querySelector('textarea')?.value === '');
});

world.test('files are uploaded with progress; one is cancelled, the other becomes a link', async () => {
  const { channelId, route } = await scene();
  const page = await world.open(world.owner, route);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The first chunk of the large file waits until the test has looked.
  await page.route('**/api/v1/tus/**', async (request) => {
    await released;
    await request.continue().catch(() => undefined);
  });
  await page.getByLabel('Files', { exact: true }).setInputFiles([
    { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1_500_000, 1) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('warp and weft') },
  ]);
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await uploads.getByRole('progressbar', { name: 'Upload of large.bin' }).waitFor();
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('[notes.txt](/user_uploads/'));
  await page.getByRole('button', { name: 'Cancel the upload of large.bin' }).click();
  release();
  await uploads.waitFor({ state: 'detached' });
  assert.doesNotMatch(await boxOf(page).inputValue(), /large/);
  await boxOf(page).press('Control+Enter');
  await page.getByRole('article').getByRole('link', { name: 'notes.txt' }).first().waitFor();
  const isSent = async () => /^\[notes\.txt\]\(\/user_uploads\/\S+\)$/.test(await newestOf(world.owner, channelId));
  await until(isSent, 'the sent message');
});

world.test('a message is sent later, and the user takes it back', async () => {
  const { route } = await scene();
  // Others see this zone on the profile. Times that the user reads and enters are those of the browser, here in Berlin.
  await world.owner.client.ok('PATCH', '/settings', { timezone: 'Asia/Kolkata' });
  const page = await world.open(world.owner, route);
  const box = boxOf(page);
  await box.fill('for tomorrow');
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('menuitem', { name: 'Tomorrow morning' }).click();
  await page.getByText('A message to this conversation is scheduled').waitFor();
  await untilEqual(() => box.inputValue(), '');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'for tomorrow');
  await page.getByText('A message to this conversation is scheduled').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('menuitem', { name: 'Another time' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send later' });
  await dialog.getByLabel('Day').fill('2031-03-04');
  await dialog.getByLabel('Time').fill('09:30');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await page.getByText('A message to this conversation is scheduled for').filter({ hasText: '9:30' }).waitFor();
  const { scheduled_messages: scheduled } = await world.owner.client.ok('GET', '/scheduled_messages');
  const [only] = scheduled;
  assert.equal(scheduled.length, 1);
  assert.equal(only.content, 'for tomorrow');
  assert.equal(only.scheduled_delivery_timestamp, Date.parse('2031-03-04T08:30:00Z') / 1000);
  await world.owner.client.ok('PATCH', '/settings', { timezone: 'Europe/Berlin' });
  await world.owner.client.ok('DELETE', `/scheduled_messages/${only.scheduled_message_id}`);
});

world.test('a message is not scheduled twice, nor sent, while the server has not responded', async () => {
  const { route, channelId } = await scene();
  const page = await world.open(world.owner, route);
  const responding = Promise.withResolvers<void>();
  await page.route('**/json/scheduled_messages', async (request) => {
    await responding.promise;
    await request.continue();
  });
  await boxOf(page).fill('only once');
  for (let times = 0; times < 2; times += 1) {
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('menuitem', { name: 'Tomorrow morning' }).click();
  }
  await boxOf(page).press('Control+Enter');
  responding.resolve();
  await page.getByText('The message is scheduled for').waitFor();
  await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
  // The next message can be sent, and is the only one.
  await boxOf(page).fill('the next one');
  await boxOf(page).press('Control+Enter');
  await until(async () => (await newestOf(world.owner, channelId)) === 'the next one', 'the sent message');
  await world.settled(page);
  await untilEqual(() => page.getByRole('article').getByText('only once').count(), 0);
  const { scheduled_messages: scheduled } = await world.owner.client.ok('GET', '/scheduled_messages');
  const ids = scheduled
    .filter(({ content }: Json) => content === 'only once')
    .map((one: Json) => one.scheduled_message_id);
  assert.equal(ids.length, 1);
  await world.owner.client.ok('DELETE', `/scheduled_messages/${ids[0]}`);
});

world.test('a scheduled message that is taken back in another conversation loses nothing', async () => {
  const { route } = await scene();
  const elsewhere = await scene();
  const page = await world.open(world.owner, route);
  await boxOf(page).fill('not for tomorrow');
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('menuitem', { name: 'Tomorrow morning' }).click();
  await page.getByText('The message is scheduled for').waitFor();
  // A notice below the pointer stays.
  await page.getByRole('button', { name: 'Undo' }).hover();
  await page.evaluate((hash) => location.assign(hash), elsewhere.route);
  await page.getByRole('main').getByText(elsewhere.channel).first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'not for tomorrow');
  await page.reload();
  await page.evaluate((hash) => location.assign(hash), route);
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'not for tomorrow');
});

world.test('warnings: many people, a person who is not subscribed, a required topic, no permission', async () => {
  const { channelId, channel, route } = await scene();
  const bob = await world.user({ name: `Bob ${made}` });
  const people = await Promise.all(Array.from({ length: 15 }, () => world.server.user()));
  await world.owner.client.subscribe(channel, { principals: people.map(({ userId }) => userId) });
  const page = await world.open(world.owner, route);
  const box = boxOf(page);
  await box.fill(`@**${bob.name}** look`);
  await page.getByText(`${bob.name} is not subscribed`).waitFor();
  await page.getByRole('button', { name: `Subscribe ${bob.name}` }).click();
  await page.getByText(`${bob.name} is not subscribed`).waitFor({ state: 'detached' });
  const subscribers = await world.owner.client.ok('GET', `/streams/${channelId}/members`);
  assert(subscribers.subscribers.includes(bob.client.userId));
  await box.fill('@**all** lunch');
  await page.getByText('@all notifies 18 people').waitFor();
  await checkAccessibility(page, 'the compose box with a warning', { without: CHECKED_ELSEWHERE });
  await box.press('Control+Enter');
  await untilEqual(() => box.inputValue(), '@**all** lunch');
  await page.getByRole('button').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('lunch').waitFor();
  // The app shows the message before the server has it, and the server would refuse it after this change.
  await until(async () => (await newestOf(world.owner, channelId)) === '@**all** lunch', 'the sent message');
  await world.owner.client.ok('PATCH', `/streams/${channelId}`, {
    can_send_message_group: JSON.stringify({ new: { direct_members: [bob.client.userId], direct_subgroups: [] } }),
  });
  await page.getByText('You are not allowed to write in this channel').waitFor();
  await box.waitFor({ state: 'detached' });
});

world.test('a new message goes to a channel and topic, or to people, that the user picks', async () => {
  const { ada, channelId, channel, route } = await scene();
  const page = await world.open(world.owner, '#inbox');
  await page.keyboard.press('c');
  await page.getByRole('combobox', { name: 'Channel' }).fill(channel);
  await page.getByRole('option', { name: channel }).click();
  await page.getByRole('combobox', { name: 'Topic' }).fill('shuttles');
  await page.keyboard.press('Tab');
  await boxOf(page).fill('A new topic');
  await boxOf(page).press('Control+Enter');
  await page.getByRole('article').getByText('A new topic').waitFor();
  await until(async () => (await newestOf(ada, channelId, 'shuttles')) === 'A new topic', 'the sent message');
  await page.goto(`${world.server.url}/${route}`);
  await page.getByRole('article').getByText('Which loom?').waitFor();
  // The box of the topic before has the focus until the view changes.
  await page.waitForFunction(() => !(document.activeElement instanceof HTMLTextAreaElement));
  await page.keyboard.press('x');
  await page.getByRole('combobox', { name: 'People' }).fill(ada.name);
  await page.getByRole('option', { name: ada.name }).click();
  // Escape closes the list, and not the box.
  await page.keyboard.press('Escape');
  await boxOf(page).fill('Hello Ada');
  await boxOf(page).press('Control+Enter');
  const reader = await world.open(ada, `#narrow/dm/${world.owner.client.userId}`);
  await reader.getByRole('article').getByText('Hello Ada').waitFor();
});

world.test('the topics to choose from do not cover the message', async () => {
  const { ada, channelId, channel } = await scene();
  await ada.client.send(channelId, 'shuttles', 'hello');
  const page = await world.open(ada, `#narrow/channel/${channelId}-${channel}`, { device: 'phone' });
  await page.getByRole('button', { name: /^New topic/ }).tap();
  const options = page.getByRole('listbox', { name: 'Topic' });
  await options.getByRole('option', { name: 'shuttles' }).waitFor();
  await until(async () => {
    const [list, box] = [await options.boundingBox(), await boxOf(page).boundingBox()];
    return list !== null && box !== null && list.y + list.height <= box.y;
  }, 'the topics above the message');
});

world.test('the tools format the selection, which undo takes back, and the preview shows the result', async () => {
  const { route } = await scene();
  const page = await world.open(world.owner, route);
  const box = boxOf(page);
  await box.fill('warp');
  await box.press('ControlOrMeta+a');
  await box.press('ControlOrMeta+b');
  await untilEqual(() => box.inputValue(), '**warp**');
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: 'Quote' }).click();
  await page.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('>'));
  await untilEqual(() => box.inputValue(), '> **warp**');
  await box.press('ControlOrMeta+z');
  await untilEqual(() => box.inputValue(), '**warp**');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'warp' }).waitFor();
  await page.getByRole('button', { name: 'Preview' }).click();
  await untilEqual(() => boxOf(page).inputValue(), '**warp**');
});

world.test('Alt+P shows the preview and hides it again, and the focus stays in the box', async () => {
  const { route } = await scene();
  const page = await world.open(world.owner, route);
  const box = boxOf(page);
  const preview = page.getByRole('region', { name: 'Preview' });
  await box.fill('**warp**');
  for (const _ of ['once', 'twice']) {
    await page.keyboard.press('Alt+p');
    await preview.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Alt+p');
    await box.and(page.locator(':focus')).waitFor();
  }
  await page.keyboard.type(' and weft');
  await untilEqual(() => box.inputValue(), '**warp** and weft');
});

world.test('pasted HTML becomes Markdown, and a pasted URL over a text becomes a link', async () => {
  const { route } = await scene();
  const page = await world.open(world.owner, route);
  const box = boxOf(page);
  await box.focus();
  const paste = (data: Record<string, string>) =>
    box.evaluate((element, items) => {
      const clipboardData = new DataTransfer();
      for (const [type, value] of Object.entries(items)) clipboardData.setData(type, value);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, data);
  const html =
    '<h2>Plan</h2><ul><li><b>warp</b></li><li><a href="https://example.com/a">weft</a></li></ul><img src=x onerror=alert(1)>';
  await paste({ 'text/html': html, 'text/plain': 'Plan warp weft' });
  await untilEqual(() => box.inputValue(), '## Plan\n\n- **warp**\n- [weft](https://example.com/a)');
  await box.fill('the loom');
  await box.press('ControlOrMeta+a');
  await paste({ 'text/plain': 'https://example.com/loom' });
  await untilEqual(() => box.inputValue(), '[the loom](https://example.com/loom)');
});

world.test('a text is saved as a snippet and inserted again', async () => {
  const { route } = await scene();
  const page = await world.open(world.owner, route);
  const box = boxOf(page);
  await box.fill('Thanks for the report.');
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: 'Save the text as a snippet' }).click();
  const dialog = page.getByRole('dialog', { name: 'New snippet' });
  await dialog.getByLabel('Title').fill('Thanks');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await world.settled(page);
  await box.fill('');
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: 'Saved snippets' }).click();
  await page.getByRole('dialog', { name: 'Saved snippets' }).getByRole('button', { name: 'Insert' }).click();
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Thanks for the report.');
});

world.test('others learn that the user is writing, unless the setting says no', async () => {
  const { ada, channelId, route } = await scene();
  const queue = await ada.client.register({
    event_types: ['typing', 'message'],
    client_capabilities: { stream_typing_notifications: true },
  });
  const page = await world.open(world.owner, route);
  await boxOf(page).pressSequentially('wr');
  const [begun] = await queue.take(1);
  assert.deepEqual([begun?.op, begun?.stream_id, begun?.topic], ['start', channelId, 'looms']);
  await boxOf(page).fill('');
  const [ended] = await queue.take(1);
  assert.equal(ended?.op, 'stop');
  await world.owner.client.ok('PATCH', '/settings', { send_stream_typing_notifications: false });
  const quiet = await world.open(world.owner, route);
  await boxOf(quiet).pressSequentially('sent in silence');
  await boxOf(quiet).press('Control+Enter');
  const [next] = await queue.take(1);
  assert.equal(next?.type, 'message');
  await world.owner.client.ok('PATCH', '/settings', { send_stream_typing_notifications: true });
});

world.test('after a message to a resolved topic, whose notice goes, the list shows the message', async () => {
  const { ada, channelId, route } = await scene();
  const sends = Array.from({ length: 30 }, (_, index) => ada.client.send(channelId, 'looms', `thread ${index}`));
  const ids = await Promise.all(sends);
  await ada.client.ok('PATCH', `/messages/${ids[0]}`, { topic: '✔ looms', propagate_mode: 'change_all' });
  await world.owner.client.ok('POST', '/mark_all_as_read');
  const page = await world.open(world.owner, route.replace('looms', '.E2.9C.94.20looms'));
  const notice = page.getByText('This topic is marked as resolved').last();
  for (const text of ['first reply', 'second reply', 'third reply']) {
    await boxOf(page).fill(text);
    await notice.waitFor();
    await boxOf(page).press('Control+Enter');
    const message = page.getByRole('article').filter({ hasText: text });
    await until(async () => {
      const [shown, box] = [await message.boundingBox(), await boxOf(page).boundingBox()];
      return shown !== null && box !== null && shown.y + shown.height <= box.y;
    }, 'the message above the box');
  }
});

world.test('a reply to a resolved topic offers to mark it as unresolved, and keeps the text', async () => {
  const { ada, channelId } = await scene();
  const id = await ada.client.send(channelId, 'knots', 'solved');
  await world.owner.client.ok('PATCH', `/messages/${id}`, { topic: '✔ knots', propagate_mode: 'change_all' });
  const page = await world.open(world.owner, `#narrow/channel/${channelId}/topic/.E2.9C.94.20knots`);
  await boxOf(page).fill('It came undone');
  await page.getByText('This topic is marked as resolved').waitFor();
  await page.getByRole('button', { name: 'Mark as unresolved' }).click();
  await page.getByText('This topic is marked as resolved').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'It came undone');
  await boxOf(page).press('Control+Enter');
  await page.getByRole('article').getByText('It came undone').waitFor();
  await until(async () => (await newestOf(ada, channelId, 'knots')) === 'It came undone', 'the sent message');
});

world.test('a message that the server refuses goes back into the box', async () => {
  const { channelId, route } = await scene();
  const page = await world.open(world.owner, route);
  world.expectProblems('status 400');
  await page.route('**/json/messages', (request) =>
    request.request().method() === 'POST'
      ? request.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today' } })
      : request.continue(),
  );
  await boxOf(page).fill('refused');
  await boxOf(page).press('Control+Enter');
  await page.getByText('Not sent: Not today').waitFor();
  await page.unroute('**/json/messages');
  await page.getByRole('alert').getByRole('button', { name: 'Edit' }).click();
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'refused');
  await boxOf(page).press('Control+Enter');
  await page.getByText('Not sent: Not today').waitFor({ state: 'detached' });
  await page.getByRole('article').getByText('refused').waitFor();
  await until(async () => (await newestOf(world.owner, channelId)) === 'refused', 'the sent message');
});

/** Runs in the page before its scripts. React reports each commit to this object, which is meant for its developer tools. */
function countCommits(): void {
  const counts = { commits: 0 };
  const hook = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: () => {
      counts.commits += 1;
    },
    onCommitFiberUnmount: () => undefined,
  };
  Object.assign(window, { counts, __REACT_DEVTOOLS_GLOBAL_HOOK__: hook });
}

world.test('a key press renders nothing of the app, also in a long text', async () => {
  const { route } = await scene();
  const blank = await world.open(world.owner, '#inbox');
  await blank.context().addInitScript(countCommits);
  const page = await world.open(world.owner, route, { beside: blank });
  const box = boxOf(page);
  await box.fill('warp and weft '.repeat(500));
  await world.settled(page);
  const [before, during] = await box.evaluate(async (element: HTMLTextAreaElement) => {
    const { counts } = window as unknown as { counts: { commits: number } };
    const before = counts.commits;
    let during = 0;
    element.focus();
    for (let count = 0; count < 50; count += 1) {
      const begin = counts.commits;
      document.execCommand('insertText', false, 'x');
      // React renders after an event of the user in a microtask.
      await Promise.resolve();
      during += counts.commits - begin;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return [before, during];
  });
  assert(Number(before) > 0, 'the commits are counted');
  assert.equal(during, 0, 'key presses render');
  await box.fill('');
});

world.test(
  'where a reply goes can be changed later, when the code for it has come, and the text keeps the focus',
  async () => {
    const { ada } = await scene();
    const page = await world.open(ada, '#inbox');
    const released = Promise.withResolvers<void>();
    await page.route(/\/_virtual_parts-[^/]*\.js$/, async (request) => {
      await released.promise;
      await request.continue();
    });
    await page.goto('about:blank');
    await page.goto(`${world.url}/#narrow/search/loom`);
    await page.getByRole('article').filter({ hasText: 'Which loom?' }).focus();
    await page.keyboard.press('r');
    await boxOf(page).press('T');
    released.resolve();
    await page.getByRole('combobox', { name: 'Topic' }).waitFor();
    await page.keyboard.type('he big one');
    await untilEqual(() => boxOf(page).inputValue(), 'The big one');
    await untilEqual(() => page.getByRole('combobox', { name: 'Topic' }).inputValue(), 'looms');
  },
);
