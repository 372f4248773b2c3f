/** The app for people who zoom in, space out text, or want no motion. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { sampleWorld } from './sample-world.ts';
import { Viewer } from './views/open-view.ts';
import type { View } from './views/view.ts';
import { boxOf } from './views.ts';

const { world, sample, viewNamed } = sampleWorld();

/** Opens views one after the other, and reports the problems of all. */
async function look(
  names: readonly string[],
  viewer: Viewer,
  problemsOf: (page: Page, name: string) => Promise<readonly string[]>,
): Promise<void> {
  const problems: string[] = [];
  for (const name of names) {
    await viewer.show(viewNamed(name), async (page) => {
      problems.push(...(await problemsOf(page, name)).map((problem) => `${name}: ${problem}`));
    });
  }
  assert.deepEqual(problems, []);
}

/** 200 % zoom of windows that are 1440 and 1280 pixels wide. */
const ZOOMED = [
  { width: 720, height: 450 },
  { width: 640, height: 400 },
];

const MAIN_VIEWS = [
  'inbox',
  'recent',
  'feed',
  'channel-feed',
  'direct',
  'topic',
  'search-results',
  'drafts',
  'reminders',
];
const PAGES = ['channels', 'channel-new', 'channel-general', 'group', 'invite', 'settings-notifications', 'profile'];
const DIALOGS = [
  'reminder',
  'report-message',
  'move-topic',
  'delete-topic',
  'channel-colour',
  'insert-time',
  'snippet',
  'send-later',
  'status',
  'channel-folders',
  'member',
  'bot-new',
  'profile-field',
  'linkifier',
];

/** What is not completely on the screen, or covered by something else. */
async function unreachable(element: Locator): Promise<boolean> {
  await element.scrollIntoViewIfNeeded();
  return element.evaluate((button) => {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !isInside || hit === null || !(button.contains(hit) || hit.contains(button));
  });
}

async function unreachableButtons(area: Locator): Promise<string[]> {
  const problems: string[] = [];
  for (const button of await area.getByRole('button').all()) {
    if (await unreachable(button)) problems.push(`cannot be reached: ${await button.ariaSnapshot()}`);
  }
  return problems;
}

function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

for (const size of ZOOMED) {
  const at = `at 200 % in ${size.width} px`;

  world.test(`${at}, no page scrolls sideways, and all buttons of dialogs can be reached`, async () => {
    const viewer = new Viewer(world, sample(), 'desktop', { size, keepsPages: true });
    // The narrow window has the layout of a phone, where the status has another way.
    const dialogs = DIALOGS.filter((name) => size.width >= 700 || name !== 'status');
    await look([...MAIN_VIEWS, ...PAGES, ...dialogs], viewer, async (page, name) => {
      const problems = (await scrollsSideways(page)) ? ['scrolls sideways'] : [];
      if (DIALOGS.includes(name)) problems.push(...(await unreachableButtons(page.getByRole('dialog'))));
      return problems;
    });
  });

  world.test(`${at}, a long message can be written beside messages`, async () => {
    const page = await world.open(sample().people.noor, viewNamed('topic').route(sample()), { size });
    await page.getByText('Deployed to the canary').waitFor();
    const box = boxOf(page);
    await box.fill(Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n'));
    assert.equal(await unreachable(page.getByRole('button', { name: 'Send', exact: true })), false);
    assert.equal(await unreachable(box), false, 'the box is cut');
    const messages = await page.getByRole('region', { name: 'Messages', exact: true }).boundingBox();
    assert(messages !== null && messages.height >= 60, `the messages have ${messages?.height} pixels`);
    await box.fill('');
  });
}

/** The longest spacing that WCAG 1.4.12 asks for. */
const SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }`;

/** Runs in the page. Texts of buttons that end in an ellipsis. */
function cutTexts(): string[] {
  const isCut = (one: Element) =>
    one.children.length === 0 &&
    one.scrollWidth > one.clientWidth + 1 &&
    getComputedStyle(one).overflowX === 'hidden' &&
    one.clientWidth > 1;
  const buttons = [...document.querySelectorAll('button')].filter((one) => one.checkVisibility());
  const parts = buttons.flatMap((one) => [one, ...one.querySelectorAll('*')]);
  return parts.filter(isCut).map(({ textContent }) => textContent);
}

world.test('with spaced text, no text of a button is cut on a phone', async () => {
  const viewer = new Viewer(world, sample(), 'phone', { keepsPages: true });
  await look([...MAIN_VIEWS, ...PAGES, ...DIALOGS], viewer, async (page) => {
    // Long names are cut without the spacing too. The page may have it from the view before.
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
    await world.settled(page);
    const before = new Set(await page.evaluate(cutTexts));
    await page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets = [sheet];
    }, SPACING);
    const cut = (await page.evaluate(cutTexts)).filter((text) => !before.has(text));
    return [...((await scrollsSideways(page)) ? ['scrolls sideways'] : []), ...cut.map((one) => `cut: ${one}`)];
  });
});

/** Runs in the page. What moves now. */
function moving(): string[] {
  return document
    .getAnimations()
    .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1)
    .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 100) ?? '');
}

/** Runs in the page. Remembers what begins to move, also if it ends before the view is complete. */
function noticeMoves(): void {
  delete document.documentElement.dataset.moved;
  const begun = ({ target }: Event) => {
    const isLong = ({ effect }: Animation) => Number(effect?.getComputedTiming().duration) > 1;
    if (!(target instanceof Element) || !target.getAnimations().some(isLong)) return;
    document.documentElement.dataset.moved = target.outerHTML.slice(0, 100);
  };
  document.addEventListener('transitionrun', begun);
  document.addEventListener('animationstart', begun);
}

const MOVING_VIEWS = ['topic', 'loading', 'menu', 'lightbox', 'emoji-picker', 'palette', 'own-menu', 'status'];

world.test('nothing moves for people who want no motion', async () => {
  const viewer = new Viewer(world, sample(), 'desktop', { keepsPages: true });
  const problems: string[] = [];
  for (const view of MOVING_VIEWS.map(viewNamed)) {
    const act: NonNullable<View['act']> = async (step) => {
      await step.page.evaluate(noticeMoves);
      await view.act?.(step);
    };
    await viewer.show({ ...view, act }, async (page) => {
      const moved = await page.evaluate(() => document.documentElement.dataset.moved);
      const found = [...(await page.evaluate(moving)), ...(moved === undefined ? [] : [moved])];
      problems.push(...found.map((one) => `${view.name}: ${one}`));
    });
  }
  // A request without a response, of which the button shows that it runs.
  const page = await world.open(sample().people.mara, '#invite');
  await page.route('**/json/invites/multiuse', () => undefined);
  await page.getByText('By link').click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Please wait' }).waitFor();
  problems.push(...(await page.evaluate(moving)).map((one) => `a button that waits: ${one}`));
  assert.deepEqual(problems, []);
});
