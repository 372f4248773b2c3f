import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import {
  isTooWide,
  type Page,
  startBrowser,
  type TestBrowser,
  withoutBrowser,
} from '@heddle/server/testing/clients/browser.ts';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { type GalleryServer, startGallery } from '../../scripts/testing/gallery-server.ts';
import { COLOUR_RULES, OVERLAYS } from '../../testing/axe.ts';
import { afterTasks } from '../../testing/still.ts';

const DESKTOP = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1000 };
const PHONE = { width: 390, height: 844 };

interface AxeWindow {
  axe: {
    run(
      where: object,
      options: object,
    ): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>;
  };
}

describe('the design', { skip: withoutBrowser }, () => {
  let gallery: GalleryServer;
  let browser: TestBrowser;
  let axe: string;

  before(async () => {
    const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    [gallery, browser, axe] = await Promise.all([startGallery(), startBrowser(), readFile(path, 'utf8')]);
  });
  after(async () => {
    await browser?.stop();
    await gallery?.stop();
  });

  /** A page of the gallery. Errors and violations of the policy fail the test at its end. */
  async function open(query: string, size: { width: number; height: number }): Promise<Page & AsyncDisposable> {
    const page = await browser.page();
    await page.setViewportSize(size);
    // Motion would make axe measure colours in between.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(gallery.url(query));
    await page.waitForSelector('#app main');
    await afterTasks(page);
    return Object.assign(page, {
      async [Symbol.asyncDispose]() {
        await page.close();
        assert.deepEqual(problems, []);
      },
    });
  }

  /**
   * The rules of WCAG 2.2 AA and the best practices that the page breaks. The themes differ only in colours, so only the rules of colours
   * look at the dark one. If layers are open, axe looks only at them.
   */
  async function violations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
    await page.evaluate(axe);
    const runOnly = theme === 'dark' ? COLOUR_RULES : undefined;
    return page.evaluate(
      async ({ runOnly, overlays }) => {
        const layers = [...document.querySelectorAll(overlays)];
        const options = { resultTypes: ['violations'], preload: false, ...(runOnly && { runOnly }) };
        const { axe } = window as unknown as AxeWindow;
        const { violations } = await axe.run(layers.length > 0 ? { include: layers } : document, options);
        return violations.flatMap(({ id, help, nodes }) =>
          nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`),
        );
      },
      { runOnly, overlays: OVERLAYS },
    );
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const name = (page: Page) =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim(),
    );

  for (const theme of ['light', 'dark'] as const) {
    for (const size of [DESKTOP, PHONE]) {
      test(`axe reports nothing on any page of the gallery (${theme}, ${size.width} px)`, async () => {
        for (const name of ['components', 'frame', 'message']) {
          await using page = await open(`?page=${name}&theme=${theme}`, size);
          assert.deepEqual(await violations(page, theme), [], name);
          assert.equal(await isTooWide(page), false, name);
        }
      });

      test(`axe reports nothing on floating layers (${theme}, ${size.width} px)`, async () => {
        await using page = await open(`?theme=${theme}`, size);
        for (const opener of ['Message menu', 'Card', 'Dialog', 'Confirm', 'Sheet']) {
          await button(page, opener).click();
          await page.waitForSelector('[role=menu], [role=dialog], [role=alertdialog]');
          assert.deepEqual(await violations(page, theme), [], opener);
          await page.keyboard.press('Escape');
        }
        for (const name of ['Owner', 'Add people']) {
          await page.getByRole('combobox', { name }).click();
          await page.getByRole('option').first().waitFor();
          assert.deepEqual(await violations(page, theme), [], name);
          await page.keyboard.press('Escape');
        }
        await button(page, 'Toast').click();
        await page.getByText('Message deleted').waitFor();
        assert.deepEqual(await violations(page, theme), [], 'toasts');
      });
    }
  }

  test('a menu opens, moves and closes by keyboard, and the focus returns', async () => {
    await using page = await open('', DESKTOP);
    await button(page, 'Message menu').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menuitem', { name: 'Reply' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByTestId('action').getByText('copy').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Message menu');
  });

  test('a dialog takes the focus, keeps it, and gives it back', async () => {
    await using page = await open('', DESKTOP);
    await button(page, 'Dialog').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create channel' });
    await dialog
      .locator(':focus')
      .or(dialog.and(page.locator(':focus')))
      .waitFor();
    for (let count = 0; count < 8; count += 1) {
      await page.keyboard.press('Tab');
      assert.equal(await dialog.evaluate((element) => element.contains(document.activeElement)), true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Dialog');
  });

  /** The multi-picker of the gallery, with three people. */
  function multiPicker(page: Page) {
    const field = page.getByRole('combobox', { name: 'Add people' });
    const tags = page.getByRole('grid', { name: 'Chosen: Add people' }).getByRole('row');
    /** What screen readers announce as the active option. */
    const announced = async () => {
      const id = await field.getAttribute('aria-activedescendant');
      return id === null ? null : page.locator(`[id="${id}"]`).textContent();
    };
    return { field, tags, announced, list: page.getByRole('listbox', { name: 'Add people' }) };
  }

  test('the multi-picker adds what is chosen, and Backspace and Delete remove it', async () => {
    await using page = await open('', DESKTOP);
    const { field, tags, list } = multiPicker(page);
    await field.focus();
    await page.keyboard.type('knuth');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await untilEqual(() => field.inputValue(), '');
    // The list stays open for the next choice, and hides nothing from screen readers.
    await list.waitFor();
    await tags.filter({ hasText: 'Ada Knuth' }).waitFor();
    await untilEqual(() => tags.count(), 4);
    await page.keyboard.press('Backspace');
    await tags.filter({ hasText: 'Ada Knuth' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Delete');
    await page.getByText('was removed').last().waitFor();
    await untilEqual(() => tags.count(), 2);
  });

  test('in the multi-picker, Enter chooses the option that is announced, wherever the arrow keys have led', async () => {
    await using page = await open('', DESKTOP);
    const { field, tags, announced } = multiPicker(page);
    await field.focus();
    for (const keys of [
      ['ArrowDown'],
      ['ArrowDown', 'ArrowDown'],
      ['ArrowUp'],
      ['End'],
      ['Home', 'PageDown'],
      ['a', 'ArrowDown', 'ArrowDown', 'ArrowUp'],
      ['h', 'o', 'ArrowDown', 'Backspace', 'ArrowDown', 'End'],
      ['n', 'Escape', 'ArrowDown', 'ArrowUp', 'PageDown'],
    ]) {
      for (const key of keys) await page.keyboard.press(key);
      const option = await announced();
      assert(option !== null, keys.join(' '));
      await page.keyboard.press('Enter');
      const added = await tags.last().textContent();
      assert(added !== null && option.startsWith(added), `${keys.join(' ')}: ${added} instead of ${option}`);
    }
  });

  test('in the multi-picker, Enter right after typing chooses the first option, and nothing without a match', async () => {
    await using page = await open('', DESKTOP);
    const { field, tags, list } = multiPicker(page);
    await field.focus();
    await Promise.all([...'knuth'].map((letter) => page.keyboard.press(letter)).concat(page.keyboard.press('Enter')));
    await tags.filter({ hasText: 'Ada Knuth' }).waitFor();
    await page.keyboard.type('nobody has this name');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Enter');
    await untilEqual(() => tags.count(), 4);
    await untilEqual(() => field.inputValue(), 'nobody has this name');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await untilEqual(() => tags.count(), 4);
  });

  test('Escape closes the list of the multi-picker and keeps its choices; the mouse chooses, and the focus stays', async () => {
    await using page = await open('', DESKTOP);
    const { field, tags, list } = multiPicker(page);
    await field.click();
    await list.getByRole('option', { name: 'Ada Knuth' }).click();
    await tags.filter({ hasText: 'Ada Knuth' }).waitFor();
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await untilEqual(() => tags.count(), 4);
    assert.equal(await field.evaluate((element) => element === document.activeElement), true);
    await field.click();
    await list.waitFor();
    await page.mouse.click(5, 5);
    await list.waitFor({ state: 'detached' });
    await untilEqual(() => tags.count(), 4);
  });

  test('the combo box finds by text, and leaving it restores the choice', async () => {
    await using page = await open('', DESKTOP);
    const field = page.getByRole('combobox', { name: 'Owner' });
    await field.focus();
    await page.keyboard.type('hopper');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await untilEqual(() => field.inputValue(), 'Ada Hopper');
    await page.keyboard.type('xyz');
    await page.keyboard.press('Tab');
    await page.waitForFunction(
      (element) => (element as HTMLInputElement).value === 'Ada Hopper',
      await field.elementHandle(),
    );
  });

  test('a virtual list moves by keyboard, reaches the controls of a row, and keeps the focus when the row is removed', async () => {
    await using page = await open('', DESKTOP);
    const grid = page.getByRole('grid', { name: 'People', exact: true });
    await grid.getByRole('row').first().focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Dennis Ritchie'));
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Ada Lovelace'));
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Ada Hopper'));
    await page.keyboard.press('Enter');
    await page.getByTestId('selected').getByText('Ada Hopper').waitFor();
    await page.keyboard.press('ArrowRight');
    assert.equal(await name(page), 'Remove Ada Hopper');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Ada Turing'));
    await untilEqual(() => grid.getAttribute('aria-rowcount'), '99');
  });

  test('a right click opens the menu of what was clicked', async () => {
    await using page = await open('', DESKTOP);
    await page.getByText('Ada Turing').last().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'View profile' }).click();
    await page.getByTestId('selected').getByText('profile of Ada Turing').waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  test('shortcuts work outside of fields, and those with Ctrl also inside', async () => {
    await using page = await open('', DESKTOP);
    const log = page.getByTestId('log');
    await page.keyboard.press('r');
    await log.getByText('reply').waitFor();
    const field = page.getByRole('textbox', { name: 'Topic' });
    await field.focus();
    await page.keyboard.press('Control+s');
    await log.getByText('star').waitFor();
    await page.keyboard.press('r');
    await page.keyboard.press('?');
    await untilEqual(() => field.inputValue(), 'r?');
    await untilEqual(() => log.textContent(), 'star');
    await untilEqual(() => page.getByRole('dialog').count(), 0);
  });

  test('the help lists all shortcuts, and shortcuts of the page rest while it is open', async () => {
    await using page = await open('?lang=de', DESKTOP);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Tastenkürzel' });
    await help.getByText('Details ein- oder ausblenden').waitFor();
    await help.getByText('Strg').first().waitFor();
    await page.keyboard.press('r');
    await untilEqual(() => page.getByTestId('log').textContent(), '');
    assert.deepEqual(await violations(page, 'light'), []);
  });

  test('a desktop remembers which columns are closed', async () => {
    await using page = await open('?page=frame', DESKTOP);
    const left = page.getByRole('navigation', { name: 'Conversations' });
    const right = page.getByRole('complementary', { name: 'Members' });
    await left.waitFor();
    await button(page, 'Hide details').click();
    await right.waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Shift+D');
    await left.waitFor({ state: 'hidden' });
    assert.equal(await name(page), 'Show details', 'the focus is where the column was closed');
    await page.reload();
    await page.getByRole('main').waitFor();
    await untilEqual(() => left.count(), 0);
    await untilEqual(() => right.count(), 0);
    await button(page, 'Show conversations').click();
    await page.keyboard.press('Control+.');
    await right.waitFor();
    await left.waitFor();
  });

  test('the width of the left column changes by keyboard within its bounds', async () => {
    await using page = await open('?page=frame', DESKTOP);
    const separator = page.getByRole('separator', { name: 'Width of the conversations' });
    await separator.focus();
    await page.keyboard.press('ArrowRight');
    await untilEqual(() => separator.getAttribute('aria-valuenow'), '296');
    await page.keyboard.press('End');
    await untilEqual(() => separator.getAttribute('aria-valuenow'), '420');
    await separator.dblclick();
    await untilEqual(() => separator.getAttribute('aria-valuenow'), '280');
  });

  test('on a tablet the right column covers the feed, and Escape closes it', async () => {
    await using page = await open('?page=frame', TABLET);
    const right = page.getByRole('complementary', { name: 'Members' });
    await untilEqual(() => right.count(), 0);
    await button(page, 'Show details').focus();
    await page.keyboard.press('Enter');
    await right.waitFor();
    await untilEqual(() => page.locator('main > [inert]').count(), 1, 'the covered feed is inert');
    assert.deepEqual(await violations(page, 'light'), []);
    await page.keyboard.press('Escape');
    await right.waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Show details');
  });

  test('on a phone the back button leaves the conversations, and a link in them shows the feed', async () => {
    await using page = await open('?page=frame', PHONE);
    const left = page.getByRole('navigation', { name: 'Conversations' });
    await button(page, 'Menu').click();
    await left.waitFor();
    const covered = page.locator('main > [inert]');
    await covered.waitFor({ state: 'attached' });
    await page.goBack();
    await covered.waitFor({ state: 'detached' });
    await button(page, 'Menu').click();
    await covered.waitFor({ state: 'attached' });
    await left.getByRole('link', { name: 'design' }).click();
    await covered.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).hash, '#design');
    await page.goBack();
    await left.waitFor();
  });

  test('skip links lead to the messages and the conversations', async () => {
    await using page = await open('?page=frame', DESKTOP);
    await page.keyboard.press('Tab');
    assert.equal(await name(page), 'Skip to messages');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN');
  });

  test('the frame fits a window of 360 px and 200 % zoom', async () => {
    for (const size of [
      { width: 360, height: 640 },
      { width: 720, height: 450 },
    ]) {
      await using page = await open('?page=frame', size);
      assert.equal(await isTooWide(page), false, `${size.width} px`);
    }
  });
});
