/** 400 % zoom of a window of 1280 × 1024 pixels. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { sampleWorld } from './sample-world.ts';
import { messageOf, sceneOf } from './scenes.ts';
import { Viewer } from './views/open-view.ts';

const { world, sample, viewNamed } = sampleWorld();

const ENLARGED = { width: 320, height: 256 };
const LEAST_SHARE = 2 / 3;

const MAIN_VIEWS = [
  'inbox',
  'inbox-empty',
  'recent',
  'feed',
  'channel-feed',
  'topics',
  'topic',
  'direct',
  'direct-group',
  'mentions',
  'starred',
  'search-results',
  'drafts',
  'scheduled',
  'reminders',
  'channels',
  'channel-general',
  'groups',
  'group',
  'invite',
  'settings',
  'settings-notifications',
  'profile',
  'share',
  'not-found',
];

/** Runs in the page. How much of the window belongs to the content of the view: a list or a page that scrolls, or the reason why there is none. */
function contentShare(): number {
  const shares = [...document.querySelectorAll<HTMLElement>('main *')]
    .filter(
      (element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowY) || 'noList' in element.dataset,
    )
    .map((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
    });
  return Math.max(0, ...shares);
}

async function problemsOf(page: Page): Promise<readonly string[]> {
  const share = await page.evaluate(contentShare);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [
    ...(share < LEAST_SHARE ? [`the content has ${Math.round(share * 100)} % of the height`] : []),
    ...(isWide ? ['the page scrolls sideways'] : []),
  ];
}

/** Whether the page can be scrolled so that all of it is on the screen. */
async function canBeReached(element: Locator): Promise<boolean> {
  await element.scrollIntoViewIfNeeded();
  return element.evaluate((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  });
}

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

for (const [language, locale] of [
  ['de', 'de-DE'],
  ['en', 'en-US'],
] as const) {
  world.test(`at 400 %, two thirds of the height belong to the content of each view (${language})`, async () => {
    const { people, newcomer } = sample();
    for (const { client } of [people.mara, newcomer])
      await client.ok('PATCH', '/settings', { default_language: language });
    const viewer = new Viewer(world, sample(), 'desktop', { size: ENLARGED, locale });
    const problems: string[] = [];
    for (const name of MAIN_VIEWS) {
      await viewer.show(viewNamed(name), async (page) => {
        problems.push(...(await problemsOf(page)).map((problem) => `${name}: ${problem}`));
      });
    }
    assert.deepEqual(problems, []);
  });
}

world.test('at 400 %, bars, tools and hints come after the list, and all can be reached', async () => {
  const { ada, bob, channelId, route, write } = await sceneOf(world);
  for (let number = 1; number <= 20; number += 1) await write(`thread ${number}`);
  const others = await world.server.emptyChannel(bob.client, 'looms of others');
  await bob.client.send(others, 'wool', 'dyed');
  const empty = await world.server.emptyChannel(ada.client, 'a new loom');
  const page = await world.open(ada, route, { size: ENLARGED });
  const shown = page.getByRole('main');
  const stops: readonly (readonly [string, Locator, readonly Locator[]])[] = [
    [route, messageOf(page, 'thread 1').first(), []],
    ['#feed', messageOf(page, 'thread 1').first(), []],
    // The bars of a new channel, and of one that was not joined.
    [
      `#narrow/channel/${channelId}`,
      messageOf(page, 'thread 1').first(),
      [shown.getByRole('button', { name: 'Start a topic' })],
    ],
    [
      `#narrow/channel/${empty}`,
      shown.getByText('No messages in #a new loom yet'),
      [shown.getByRole('button', { name: 'Add people' })],
    ],
    [`#narrow/channel/${others}`, messageOf(page, 'dyed'), [shown.getByRole('button', { name: 'Join', exact: true })]],
    [
      '#inbox',
      shown.getByRole('list', { name: 'Unread conversations' }),
      [shown.getByRole('searchbox', { name: 'Filter the inbox' }), shown.getByRole('radio', { name: 'Followed' })],
    ],
    [
      '#recent',
      shown.getByRole('table'),
      [shown.getByRole('searchbox', { name: 'Filter by name' }), shown.getByRole('button', { name: 'Participated' })],
    ],
    [`#topics/channel/${channelId}`, shown.getByRole('list', { name: 'Topics' }), [shown.getByRole('searchbox')]],
    ['#channels/subscribed', shown.getByRole('grid', { name: 'Channels' }), [shown.getByRole('searchbox')]],
  ];
  const views = page.getByRole('navigation', { name: 'Views' });
  for (const [hash, content, parts] of stops) {
    await goTo(page, hash);
    await content.waitFor();
    for (const part of parts) await part.waitFor();
    await world.settled(page);
    assert.deepEqual(await problemsOf(page), [], hash);
    for (const part of [...parts, ...(await views.getByRole('link').all())]) {
      assert(await canBeReached(part), `${hash}: ${part} cannot be reached`);
    }
    // A view begins at its top.
    await goTo(page, '#keyboard-shortcuts');
    await page.waitForFunction(() => window.scrollY === 0);
  }
  await page.goto(`${world.url}/${route}`);
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  await box.fill('a message');
  await world.settled(page);
  assert(await canBeReached(box), 'the box is cut');
  assert(await canBeReached(page.getByRole('button', { name: 'Send', exact: true })), 'the button is cut');
});

world.test('at 400 %, the first steps of an owner come after the list', async () => {
  const page = await world.open(sample().people.mara, '#inbox', { size: ENLARGED });
  await page.getByRole('heading', { name: /^First steps/ }).waitFor();
  await page.getByRole('list', { name: 'Unread conversations' }).waitFor();
  await world.settled(page);
  assert.deepEqual(await problemsOf(page), []);
  assert(await canBeReached(page.getByRole('button', { name: 'Hide the first steps' })), 'they cannot be hidden');
});
