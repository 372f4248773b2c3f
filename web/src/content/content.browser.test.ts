import assert from 'node:assert/strict';
import { upload } from '@heddle/server/testing/clients/user-files.ts';
import { until, untilEqual } from '@heddle/server/testing/server/until.ts';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { checkAccessibility, checkAccessibilityEverywhere } from '../../testing/axe.ts';
import { browserWorld, type Person } from '../../testing/browser-world.ts';

const world = browserWorld();

interface Conversation {
  readonly ada: Person;
  readonly bob: Person;
  readonly channelId: number;
  readonly route: string;
  /** Bob writes a message. Returns its id. */
  readonly write: (text: string) => Promise<number>;
}

let made = 0;

async function conversation(): Promise<Conversation> {
  made += 1;
  const [ada, bob] = [await world.user({ name: `Ada ${made}` }), await world.user({ name: `Bob ${made}` })];
  const channelId = await world.server.emptyChannel(ada.client, `design ${made}`, {
    principals: [bob.client.userId],
  });
  const write = (text: string) => bob.client.send(channelId, 'content', text);
  return { ada, bob, channelId, write, route: `#narrow/channel/${channelId}/topic/content` };
}

async function picture(person: Person, name: string, width: number, height: number): Promise<string> {
  const png = await sharp({ create: { width, height, channels: 3, background: '#46a' } })
    .png()
    .toBuffer();
  return upload(world.server.url, person.client, png, { name, type: 'image/png' });
}

/** Rules about the list around the messages. */
const ABOUT_THE_LIST = { without: ['aria-required-children', 'heading-order'] };

/** The file of the picture that the lightbox shows. */
function shown(page: Page, name: string) {
  return page.getByRole('dialog', { name }).getByRole('img', { name });
}

/** The file of a message goes with the message, so a picture that still loads would fail. */
async function untilLoaded(picture: Locator): Promise<void> {
  const isLoaded = () =>
    picture.evaluate((image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0);
  await until(isLoaded, 'the picture');
}

world.test('messages show formatting, code, formulas, tables, spoilers, times, mentions and links', async () => {
  const { ada, channelId, route, write } = await conversation();
  await write(`**bold** *italic* \`inline\` @**${ada.name}** <time:2026-11-21T09:00:00Z> https://example.com`);
  await write('```rust\nfn main() {}\n```');
  await write('$$\\frac{a}{b}$$ and :smile:');
  await write('| Measure | Goal |\n|---|--:|\n| Paint | 0.8 s |');
  await write('```spoiler The end\nThey weave.\n```');
  await write(`See #**design ${made}>content** and #**design ${made}**.\n\n> a quote\n\n* one\n* two`);
  const page = await world.open(ada, route, { permissions: ['clipboard-read', 'clipboard-write'] });

  await page.getByRole('button', { name: 'Copy code' }).click();
  await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === 'fn main() {}', 'the code');
  await page.getByRole('group', { name: 'Code, Rust' }).waitFor();
  await page.getByRole('math').waitFor();
  await page.getByRole('img', { name: 'smile' }).waitFor();
  await page.getByRole('cell', { name: '0.8 s' }).waitFor();
  await page.getByRole('blockquote').getByText('a quote').waitFor();
  await untilEqual(
    () =>
      page
        .getByRole('listitem')
        .filter({ hasText: /^(?:one|two)$/ })
        .count(),
    2,
  );
  // Half past nine in the zone of the reader.
  await page.getByRole('time').getByText('Nov 21, 2026, 10:00').waitFor();

  const spoiler = page.getByRole('button', { name: 'Show: The end' });
  await untilEqual(() => page.getByText('They weave.').isVisible(), false);
  await spoiler.focus();
  await page.keyboard.press('Enter');
  await page.getByText('They weave.').waitFor();
  await untilEqual(() => page.getByRole('button', { name: 'Hide: The end' }).getAttribute('aria-expanded'), 'true');

  const external = page.getByRole('link', { name: 'https://example.com' });
  assert.deepEqual(
    [await external.getAttribute('target'), await external.getAttribute('rel')],
    ['_blank', 'noopener noreferrer nofollow'],
  );
  await checkAccessibilityEverywhere(page, 'messages', ABOUT_THE_LIST);

  await world.owner.client.ok('PATCH', `/streams/${channelId}`, { new_name: 'drafting' });
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await page.getByRole('article').getByRole('link', { name: '#drafting', exact: true }).click();
  await page.waitForURL(/#narrow\/channel\/\d+-[a-z0-9.-]+$/);
  assert.equal(await page.evaluate(() => 'isSamePage' in globalThis), true, 'the app does not load again');
});

world.test('the bar of actions covers no button of code, even if the message shows no name above it', async () => {
  const { ada, route, write } = await conversation();
  await write('```rust\nfn main() {}\n```');
  await write('```go\nfunc main() {}\n```');
  const page = await world.open(ada, route);
  const buttons = page.getByRole('button', { name: 'Copy code' });
  for (const button of [buttons.first(), buttons.last()]) {
    await button.hover();
    await page.getByRole('toolbar', { name: 'Message actions' }).last().waitFor();
    assert.deepEqual(await button.evaluate(coveredPoints), []);
  }
});

world.test('the tools of code cover nothing of it on a phone', async () => {
  const { ada, route, write } = await conversation();
  await write(`\`\`\`bash\n${'weave --all '.repeat(10)}\n\`\`\``);
  await write('```bash\nwarp\nweft\n```');
  const page = await world.open(ada, route, { device: 'phone' });
  const blocks = page.getByRole('group', { name: 'Code, Bash' });
  await blocks.last().waitFor();
  await world.settled(page);
  for (const tools of [page.getByRole('button', { name: 'Copy code' }), page.getByText('Bash', { exact: true })]) {
    for (const index of [0, 1]) {
      const [ofTool, ofCode] = [await tools.nth(index).boundingBox(), await blocks.nth(index).boundingBox()];
      assert(ofTool !== null && ofCode !== null);
      assert(ofTool.y + ofTool.height <= ofCode.y, `a tool covers the code of block ${index}`);
    }
  }
});

/** Points of an element that another element covers: near its corners, which can be round, and in its middle. */
function coveredPoints(element: Element): string[] {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [columns, rows] = [
    [left + 4, (left + right) / 2, right - 4],
    [top + 4, (top + bottom) / 2, bottom - 4],
  ];
  return rows.flatMap((y) =>
    columns.flatMap((x) => {
      const found = document.elementFromPoint(x, y);
      return element.contains(found) ? [] : `${x},${y}: ${found?.outerHTML.slice(0, 80)}`;
    }),
  );
}

world.test('a mention shows the current name, and opens the person', async () => {
  const { ada, bob, route, write } = await conversation();
  await write(`Ask @**${bob.name}** and @_**${ada.name}**`);
  const page = await world.open(ada, route);
  await page.getByRole('button', { name: `@${bob.name}` }).waitFor();
  await bob.client.ok('PATCH', '/settings', { full_name: 'Roberta Shuttle' });
  const mention = page.getByRole('button', { name: '@Roberta Shuttle' });
  await mention.focus();
  await page.keyboard.press('Enter');
  // The card of the person, or the profile where the app has no cards.
  await Promise.any([page.getByRole('dialog').waitFor(), page.waitForURL(/#user\/\d+/)]);
});

world.test('people vote in a poll, and add options, and the author edits the question', async () => {
  const { ada, bob, route, write } = await conversation();
  await write('/poll Which yarn?\nWool\nSilk');
  const [page, other] = [await world.open(ada, route), await world.open(bob, route)];
  await page.getByRole('button', { name: '0 votes for Wool' }).press('Enter');
  const voted = other.getByRole('button', { name: `1 vote for Wool ${ada.name}` });
  await voted.waitFor();
  await untilEqual(() => voted.getAttribute('aria-pressed'), 'false');
  await other.getByRole('textbox', { name: 'New option' }).fill('Linen');
  await other.keyboard.press('Enter');
  await page.getByRole('button', { name: '0 votes for Linen' }).click();
  await other.getByRole('button', { name: `1 vote for Linen ${ada.name}` }).click();
  await page.getByRole('button', { name: /^2 votes for Linen/ }).waitFor();
  await other.getByRole('button', { name: 'Edit the question' }).click();
  await other.getByRole('textbox', { name: 'Edit the question' }).fill('Which fibre?');
  await other.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Which fibre?' }).waitFor();
  await world.settled(page);
  await untilEqual(() => page.getByRole('button', { name: 'Edit the question' }).count(), 0);
  await page.getByRole('button', { name: /^1 vote for Wool/ }).click();
  await other.getByRole('button', { name: '0 votes for Wool' }).waitFor();
  await checkAccessibility(other, 'a poll', { ...ABOUT_THE_LIST, part: 'main' });
});

world.test('an archived channel closes its polls', async () => {
  const { ada, channelId, route, write } = await conversation();
  await write('/poll Which yarn?\nWool');
  const page = await world.open(ada, route);
  const option = page.getByRole('button', { name: '0 votes for Wool' });
  await option.waitFor();
  assert(await option.isEnabled());
  await world.owner.client.ok('DELETE', `/streams/${channelId}`);
  await page.getByRole('textbox', { name: 'New option' }).waitFor({ state: 'detached' });
  await world.settled(page);
  assert(await option.isDisabled());
});

world.test('people complete the tasks of a list and add new ones', async () => {
  const { ada, bob, route, write } = await conversation();
  await write('/todo Shopping\nWool: blue\nNeedles');
  const [page, other] = [await world.open(ada, route), await world.open(bob, route)];
  await page.getByRole('checkbox', { name: /^Wool/ }).press('Space');
  await other.getByRole('checkbox', { name: /^Wool/, checked: true }).waitFor();
  await other.getByRole('checkbox', { name: /^Wool/ }).press('Space');
  await page.getByRole('checkbox', { name: /^Wool/, checked: false }).waitFor();
  await page.getByRole('textbox', { name: 'New task' }).fill('Thread');
  await page.getByRole('textbox', { name: 'Description of the task' }).fill('three spools');
  await page.keyboard.press('Enter');
  await other.getByRole('checkbox', { name: /^Thread/ }).waitFor();
  await other.getByText('three spools').waitFor();
  await checkAccessibility(page, 'a to-do list', { ...ABOUT_THE_LIST, part: 'main' });
});

world.test('pictures open in a lightbox that works by keyboard, across messages', async () => {
  const { ada, bob, route, write } = await conversation();
  const [one, two, three] = [
    await picture(bob, 'one.png', 1600, 900),
    await picture(bob, 'two.png', 300, 600),
    await picture(bob, 'three.png', 60, 40),
  ];
  await write(`[one.png](${one})\n[two.png](${two})`);
  await write(`and [three.png](${three})`);
  const page = await world.open(ada, route);
  const link = page.getByRole('link', { name: 'Open picture two.png' });
  await link.press('Enter');
  await shown(page, 'two.png').waitFor();
  await checkAccessibility(page, 'the lightbox', { part: 'overlays' });
  await untilEqual(() => page.getByRole('link', { name: 'Download' }).getAttribute('href'), two);
  await page.keyboard.press('ArrowRight');
  await shown(page, 'three.png').waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await shown(page, 'one.png').waitFor();
  await untilLoaded(shown(page, 'one.png'));
  await world.settled(page);
  const width = async () => (await shown(page, 'one.png').boundingBox())?.width ?? 0;
  const fitted = await width();
  await page.keyboard.press('+');
  await page.waitForFunction(
    (before) =>
      (document.querySelector('[role=dialog] img[alt="one.png"]')?.getBoundingClientRect().width ?? 0) > before * 1.4,
    fitted,
  );
  await page.keyboard.press('0');
  await page.waitForFunction(
    (before) =>
      Math.abs(
        (document.querySelector('[role=dialog] img[alt="one.png"]')?.getBoundingClientRect().width ?? 0) - before,
      ) < 1,
    fitted,
  );
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // The focus returns.
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Open picture two.png');
});

world.test('the lightbox keeps what was opened if its message goes, and closes if another one goes', async () => {
  const { ada, bob, route, write } = await conversation();
  const first = await write(`[one.png](${await picture(bob, 'one.png', 300, 200)})`);
  const second = await write(`[two.png](${await picture(bob, 'two.png', 300, 200)})`);
  const page = await world.open(ada, route);
  const link = page.getByRole('link', { name: 'Open picture one.png' });
  await link.click();
  await shown(page, 'one.png').waitFor();
  await page.keyboard.press('ArrowRight');
  await untilLoaded(shown(page, 'two.png'));
  await world.owner.client.ok('DELETE', `/messages/${second}`);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await link.click();
  await untilLoaded(shown(page, 'one.png'));
  await world.owner.client.ok('DELETE', `/messages/${first}`);
  await world.settled(page);
  await shown(page, 'one.png').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

world.test(
  'many pictures form a grid; the gallery shows all pictures of the conversation, also of linked files',
  async () => {
    const { ada, bob, route, write } = await conversation();
    const names = Array.from({ length: 8 }, (_, index) => `loom-${index}.png`);
    const early = await picture(bob, 'early.png', 300, 300);
    await write(`first [early.png](${early})`);
    // More messages than a window loads at first.
    for (let index = 0; index < 160; index += 1) await write(`row ${index}`);
    const files = await Promise.all(names.map((name) => picture(bob, name, 400, 300)));
    const grid = await write(files.map((file, index) => `[${names[index]}](${file})`).join('\n'));
    await write(`> as in [linked.png](${await picture(bob, 'linked.png', 200, 100)})`);
    const page = await world.open(ada, `${route}/near/${grid}`, { device: 'phone' });
    const more = page.getByRole('link', { name: 'Open picture loom-5.png, and 2 more' });
    await more.waitFor();
    await untilEqual(() => page.getByRole('link', { name: 'Open picture loom-6.png' }).count(), 0);
    await world.settled(page);
    const links = page.locator('.message-gallery .message_inline_image:not([hidden]) a');
    // Parts of the page that load late can hide the others for a moment. Then nothing has a size.
    const boxes = await until(async () => {
      const all = await links.evaluateAll((elements) =>
        elements
          .map((link) => link.getBoundingClientRect())
          .map(({ top, width }) => ({ top, width: Math.round(width) })),
      );
      return all.some(({ width }) => width > 0) && all;
    }, 'the pictures to have a size');
    assert.equal(boxes.length, 6);
    assert.equal(new Set(boxes.map(({ top }) => top)).size, 2, `two rows: ${JSON.stringify(boxes)}`);
    assert.equal(new Set(boxes.map(({ width }) => width)).size, 1, 'cells of one size');
    await checkAccessibilityEverywhere(page, 'a grid of pictures', ABOUT_THE_LIST);
    await more.click();
    await shown(page, 'loom-5.png').waitFor();
    const strip = page.getByRole('list', { name: 'All pictures' });
    await strip.getByRole('button', { name: 'loom-7.png' }).click();
    await shown(page, 'loom-7.png').waitFor();
    await page.keyboard.press('ArrowRight');
    await shown(page, 'linked.png').waitFor();
    // A picture that no loaded message has.
    await strip.getByRole('button', { name: 'early.png' }).click();
    await shown(page, 'early.png').waitFor();
    await page.getByText('1 of 10').waitFor();
    await checkAccessibility(page, 'the strip of a gallery', { part: 'overlays' });
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'linked.png PNG' }).click();
    await shown(page, 'linked.png').waitFor();
  },
);

world.test('files are cards, audio has a player, and the size of a picture is reserved', async () => {
  const { ada, bob, route, write } = await conversation();
  const file = (name: string, type: string) => upload(world.server.url, bob.client, Buffer.alloc(64), { name, type });
  const [pdf, wav, png] = [
    await file('plan.pdf', 'application/pdf'),
    await file('loom.wav', 'audio/wav'),
    await picture(bob, 'wide.png', 840, 200),
  ];
  await write(`[plan.pdf](${pdf})\n![loom.wav](${wav})`);
  await write(`[wide.png](${png})`);
  const page = await world.open(ada, route);
  await page.getByRole('link', { name: 'plan.pdf PDF' }).waitFor();
  await page.getByRole('link', { name: 'loom.wav' }).waitFor();
  const box = await page.getByRole('link', { name: 'Open picture wide.png' }).boundingBox();
  assert.deepEqual([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)], [420, 100]);
});

world.test('long messages end with a button for the rest, and collapsed ones open on all devices', async () => {
  const { ada, route, write } = await conversation();
  await write(Array.from({ length: 120 }, (_, line) => `Line ${line}`).join('\n'));
  const collapsed = await write('First line\n\nSecond paragraph');
  await ada.client.ok('POST', '/messages/flags', { messages: [collapsed], op: 'add', flag: 'collapsed' });
  const [page, other] = [await world.open(ada, route), await world.open(ada, route)];
  const long = page.getByRole('article').filter({ hasText: 'Line 119' });
  await long.getByRole('button', { name: 'Show more' }).click();
  await long.getByRole('button', { name: 'Show less' }).waitFor();
  for (const one of [page, other]) {
    await one
      .getByRole('article')
      .filter({ hasText: 'Second paragraph' })
      .getByRole('button', { name: 'Show more' })
      .waitFor();
  }
  await page
    .getByRole('article')
    .filter({ hasText: 'Second paragraph' })
    .getByRole('button', { name: 'Show more' })
    .click();
  await other
    .getByRole('article')
    .filter({ hasText: 'Second paragraph' })
    .getByRole('button', { name: 'Show more' })
    .waitFor({ state: 'detached' });
});
