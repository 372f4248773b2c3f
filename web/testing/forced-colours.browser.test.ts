/** The app for people whose system chooses the colours. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { type Box, type Colours, coloursIn, coloursOf, pixelsIn } from './picture.ts';
import { sampleWorld } from './sample-world.ts';
import { boxOf } from './views.ts';

const { world, sample, viewNamed } = sampleWorld();

/** A page whose colours the system chooses. */
async function openForced(name: string, device: 'desktop' | 'phone' = 'desktop'): Promise<Page> {
  const view = viewNamed(name);
  const page = await world.open(sample().people.mara, view.route(sample()), { device });
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await view.act?.({ page, device, sample: sample() });
  await view.shows(page).waitFor();
  return page;
}

/** The edges of fields and counts are around what has the text. */
const AROUND_PX = 8;

interface Focus {
  readonly html: string;
  readonly box: Box;
  readonly shown: Colours;
}

/** What has the focus, and how it looks. Undefined if nothing that can be seen has it. */
async function focusOf(page: Page): Promise<Focus | undefined> {
  const focused = page.locator(':focus');
  if ((await focused.count()) === 0) return undefined;
  const box = await focused.boundingBox();
  // An input inside of a drawn box covers no pixels.
  if (box === null || box.width < 2) return undefined;
  const html = await focused.evaluate((element) => element.outerHTML.slice(0, 120));
  return { html, box, shown: await coloursIn(page, box, AROUND_PX) };
}

world.test('in forced colours, everything that has the focus shows it', async () => {
  const unseen: string[] = [];
  for (const [name, stops] of Object.entries({
    inbox: 24,
    topic: 45,
    'settings-notifications': 30,
  })) {
    const page = await openForced(name);
    let before: Focus | undefined;
    for (let stop = 0; stop < stops; stop += 1) {
      await page.keyboard.press('Tab');
      // What had the focus has lost it.
      if (before !== undefined) {
        const { shown, box, html } = before;
        const hidden = await coloursIn(page, box, AROUND_PX);
        const change = [...shown].map(([colour, count]) => Math.abs(count - (hidden.get(colour) ?? 0)));
        if (change.reduce((sum, count) => sum + count, 0) < 40) unseen.push(`${name}: ${html}`);
      }
      before = await focusOf(page);
    }
    await page.close();
  }
  assert.deepEqual(unseen, []);
});

world.test('in forced colours, what is chosen differs from what is not', async () => {
  const problems: string[] = [];
  const compare = async (name: string, chosen: Locator, other: Locator) => {
    const highlighted = async (one: Locator) => pixelsIn(one.page(), await coloursOf(one), 'Highlight');
    const [on, off] = [await highlighted(chosen), await highlighted(other)];
    if (on < 20 || off >= on) problems.push(`${name}: ${on} pixels are highlighted, and ${off} of another one`);
  };
  const conversations = await openForced('topic');
  const list = conversations.getByRole('navigation', { name: 'Conversations' });
  await compare(
    'topic',
    list.getByRole('link', { name: /^tide model v2/ }),
    list.getByRole('link', { name: /^Inbox/ }),
  );

  const settings = await openForced('settings-notifications');
  const pages = settings.getByRole('navigation', { name: 'Settings' });
  await compare(
    'page',
    pages.getByRole('link', { name: 'Notifications' }),
    pages.getByRole('link', { name: 'Topics' }),
  );
  const boxes = settings.getByRole('main').locator('label', { has: settings.getByRole('checkbox') });
  const [checked, unchecked] = [boxes.filter({ has: settings.locator(':checked') }), boxes.nth(0)];
  await compare('checkbox', checked.first(), unchecked);

  const channel = await openForced('channel-general');
  await compare('tab', channel.getByRole('tab', { name: 'General' }), channel.getByRole('tab', { name: 'Personal' }));

  const recent = await openForced('recent');
  const filters = recent.getByRole('group', { name: 'Filters' });
  const unread = filters.getByRole('button', { name: 'Unread' });
  await unread.click();
  await recent.mouse.move(0, 0);
  await compare('filter', unread, filters.getByRole('button', { name: 'Participated' }));

  const phone = await openForced('inbox', 'phone');
  const views = phone.getByRole('navigation', { name: 'Views' });
  await compare('view', views.getByRole('link', { name: /Inbox/ }), views.getByRole('link', { name: 'Feed' }));
  assert.deepEqual(problems, []);
});

world.test('in forced colours, counts, icons, lines and colours to choose can be seen', async () => {
  const inbox = await openForced('inbox');
  const flat: string[] = [];
  for (const icon of await inbox.locator('svg').all()) {
    const isShown = (one: Element) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!(await icon.evaluate(isShown))) continue;
    if ((await coloursOf(icon)).size < 2) flat.push(await icon.evaluate((one) => one.parentElement?.outerHTML ?? ''));
  }
  assert.deepEqual(flat, []);
  const count = await coloursOf(inbox.getByRole('main').getByText('3', { exact: true }).first(), AROUND_PX);
  const ground = await pixelsIn(inbox, count, 'Canvas');
  const drawn = [...count.values()].reduce((sum, pixels) => sum + pixels, 0) - ground;
  assert(drawn > 60, `a count has no edge: ${drawn} pixels`);

  const topic = await openForced('topic');
  const highlighted = async (one: Locator) => pixelsIn(topic, await coloursOf(one), 'Highlight');
  const line = await highlighted(topic.getByRole('separator', { name: 'New messages' }));
  assert(line > 100, `new messages have no line: ${line} pixels`);
  await boxOf(topic).fill('hello');
  const send = await highlighted(topic.getByRole('button', { name: 'Send', exact: true }));
  assert(send > 100, `the button to send looks as others: ${send} pixels`);
  await boxOf(topic).fill('');

  const dialog = await openForced('channel-colour');
  const swatches = await dialog
    .getByRole('dialog')
    .locator('label', { has: dialog.getByRole('radio') })
    .all();
  const colours = new Set<string | undefined>();
  for (const swatch of swatches.slice(0, 12)) {
    const [[most] = []] = [...(await coloursOf(swatch))].sort(([, a], [, b]) => b - a);
    colours.add(most);
  }
  assert.equal(colours.size, 12, 'colours look the same');
});
