/** Random reading never marks what the reader has neither seen in a whole conversation nor left above its read end. */
import assert from 'node:assert/strict';
import { type Random, randomOf } from '@heddle/server/testing/random/random.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import type { Page } from 'playwright-core';
import { browserWorld, type Person } from '../../testing/browser-world.ts';
import { drawn, messageOf, type Scene, sceneOf } from '../../testing/scenes.ts';
import { boxOf } from '../../testing/views.ts';

const world = browserWorld();

/** How many things the reader does. */
const ACTIONS = 45;

type Where = 'looms' | 'spindles' | 'direct';

interface Written {
  readonly id: number;
  readonly where: Where;
}

interface View {
  readonly hash: string;
  /** The conversations of which it shows everything. None for fragments. */
  readonly shows: readonly Where[];
}

/** What a page has shown: which messages, and which was the newest on the screen in each action. */
interface Shown {
  readonly seen: readonly string[];
  readonly ends: readonly string[];
}

/** Notes before and after each frame which messages end on the screen. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = new Set<string>();
    const ends = new Set<string>();
    const state = { seen, ends, step: 0 };
    (window as unknown as { watched: typeof state }).watched = state;
    const note = () => {
      const list = document.querySelector('[data-feed-scroller]');
      if (list === null) return;
      const frame = list.getBoundingClientRect();
      let newest = 0;
      for (const article of list.querySelectorAll<HTMLElement>('[data-message-id]')) {
        const { bottom } = article.getBoundingClientRect();
        if (bottom <= frame.top || bottom > frame.bottom + 2) continue;
        const id = Number(article.dataset.messageId);
        seen.add(`${location.hash} ${id}`);
        newest = Math.max(newest, id);
      }
      if (newest > 0) ends.add(`${location.hash} ${newest} ${state.step}`);
    };
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = note;
    const follow = () => {
      note();
      port2.postMessage(undefined);
      requestAnimationFrame(follow);
    };
    document.addEventListener('scroll', note, { capture: true, passive: true });
    follow();
  });
}

class Reader {
  readonly #page: Page;
  readonly #scene: Scene;
  readonly #random: Random;
  readonly #views: readonly View[];
  readonly #written: Written[] = [];
  /** How many messages there were before each action. */
  readonly #countBefore: number[] = [];
  readonly log: string[] = [];

  constructor(page: Page, scene: Scene, random: Random) {
    this.#page = page;
    this.#scene = scene;
    this.#random = random;
    const { channelId, bob } = scene;
    const topic = (name: string) => `#narrow/channel/${channelId}/topic/${name}`;
    const fragment = (terms: string): View => ({ hash: `#narrow/${terms}`, shows: [] });
    this.#views = [
      { hash: topic('looms'), shows: ['looms'] },
      { hash: topic('spindles'), shows: ['spindles'] },
      { hash: `#narrow/channel/${channelId}`, shows: ['looms', 'spindles'] },
      { hash: '#feed', shows: ['looms', 'spindles', 'direct'] },
      { hash: `#narrow/dm/${bob.client.userId}`, shows: ['direct'] },
      fragment('search/thread'),
      fragment(`sender/${bob.client.userId}`),
      fragment('is/starred'),
      fragment(`channel/${channelId}/topic/looms/search/thread`),
      { hash: '#inbox', shows: [] },
    ];
  }

  /** Bob writes. */
  async write(where: Where, count: number): Promise<void> {
    const { bob, ada, write } = this.#scene;
    for (let index = 0; index < count; index += 1) {
      const text = `thread ${this.#written.length}.${'\nmore of it'.repeat(this.#random.integerBelow(5))}`;
      const id = where === 'direct' ? await bob.client.direct([ada.client.userId], text) : await write(text, where);
      this.#written.push({ id, where });
    }
  }

  async act(): Promise<void> {
    const actions: (() => Promise<string>)[] = [
      () => this.#visit(),
      () => this.#visit(),
      () => this.#scroll(),
      () => this.#scroll(),
      () => this.#scroll(),
      () => this.#press(),
      () => this.#press(),
      () => this.#goBack(),
      () => this.#send(),
      () => this.#receive(),
      () => this.#receive(),
      () => this.#reconnect(),
      () => this.#keepUnread(),
    ];
    const act = this.#random.pick(actions);
    assert(act !== undefined);
    const step = this.#countBefore.push(this.#written.length) - 1;
    await this.#page.evaluate((now) => {
      (window as unknown as { watched: { step: number } }).watched.step = now;
    }, step);
    this.log.push(`${step} ${await act()} (${new URL(this.#page.url()).hash})`);
    await drawn(this.#page);
    await world.settled(this.#page);
  }

  async #visit(): Promise<string> {
    const view = this.#random.pick(this.#views);
    assert(view !== undefined);
    await this.#page.evaluate((hash) => location.assign(hash), view.hash);
    return 'visits a view';
  }

  async #goBack(): Promise<string> {
    await this.#page.evaluate(() => {
      // The entry before the first one of the app is an empty page.
      const { navigation } = window as unknown as { navigation: { canGoBack: boolean } };
      if (navigation.canGoBack) history.back();
    });
    return 'goes back';
  }

  async #scroll(): Promise<string> {
    const by = 100 + this.#random.integerBelow(3_000);
    const direction = this.#random.boolean() ? 1 : -1;
    await this.#page.mouse.move(700, 450);
    await this.#page.mouse.wheel(0, direction * by);
    return `scrolls by ${direction * by}`;
  }

  async #press(): Promise<string> {
    const key = this.#random.pick(['End', 'Home', 'j', 'k', 'Shift+Home', 'PageDown', 'PageUp']) ?? 'End';
    await this.#page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await this.#page.keyboard.press(key);
    return `presses ${key}`;
  }

  async #send(): Promise<string> {
    const box = boxOf(this.#page);
    if (!(await box.isVisible()) || !(await box.isEditable())) return 'cannot send';
    const text = `from the reader ${this.log.length}`;
    await box.fill(text);
    await box.press('Control+Enter');
    await messageOf(this.#page, text).waitFor();
    return 'sends';
  }

  async #receive(): Promise<string> {
    const where = this.#random.pick(['looms', 'spindles', 'direct'] as const) ?? 'looms';
    const count = 1 + this.#random.integerBelow(6);
    await this.write(where, count);
    return `receives ${count} in ${where}`;
  }

  async #reconnect(): Promise<string> {
    const context = this.#page.context();
    await context.setOffline(true);
    const received = await this.#receive();
    await context.setOffline(false);
    return `reconnects, ${received}`;
  }

  async #keepUnread(): Promise<string> {
    const button = this.#page.getByRole('button', { name: 'Keep unread' });
    if (!(await button.isVisible())) return 'has nothing to keep unread';
    await button.click();
    await button.waitFor({ state: 'detached' });
    return 'keeps unread';
  }

  /** Fails if the server counts a message as read that the reader may not have read. */
  async check(): Promise<void> {
    const { seen, ends } = await this.#page.evaluate((): Shown => {
      const state = (window as unknown as { watched: { seen: Set<string>; ends: Set<string> } }).watched;
      return { seen: [...state.seen], ends: [...state.ends] };
    });
    const shows = new Map(this.#views.map((view) => [view.hash, view.shows]));
    const whereOf = new Map(this.#written.map(({ id, where }) => [id, where]));
    const readable = new Set<number>();
    for (const one of seen) {
      const [hash = '', id] = one.split(' ');
      const where = whereOf.get(Number(id));
      if (where !== undefined && this.#showsWhere(shows, hash, where)) readable.add(Number(id));
    }
    for (const one of ends) {
      const [hash = '', id, step] = one.split(' ');
      const here = this.#written.filter(({ where }) => this.#showsWhere(shows, hash, where));
      const before = this.#countBefore[Number(step)] ?? 0;
      const newestThen = this.#written.slice(0, before).findLast((written) => here.includes(written))?.id ?? 0;
      if (Number(id) < newestThen) continue;
      for (const written of here) if (written.id <= Number(id)) readable.add(written.id);
    }
    const unread = new Set(await unreadOf(this.#scene.ada));
    const wrong = this.#written.filter(({ id }) => !unread.has(id) && !readable.has(id));
    assert.deepEqual(wrong, [], `messages count as read without a reason:\n${this.log.join('\n')}`);
  }

  #showsWhere(shows: ReadonlyMap<string, readonly Where[]>, hash: string, where: Where): boolean {
    // The app writes names into the fragments that it was given.
    const found = [...shows].find(([one]) => sameView(one, hash));
    return found?.[1].includes(where) ?? false;
  }
}

/** The fragment with ids only. */
function sameView(one: string, other: string): boolean {
  const bare = (hash: string) => hash.replaceAll(/\/(\d+)-[^/]*/g, '/$1');
  return bare(one) === bare(other);
}

async function unreadOf({ client }: Person): Promise<readonly number[]> {
  const query = { narrow: [{ operator: 'is', operand: 'unread' }], anchor: 'newest', num_before: 5000, num_after: 0 };
  const { messages } = await client.ok('GET', '/messages', query);
  return messages.map(({ id }: { readonly id: number }) => id);
}

world.test('whatever the reader does, only what was seen or lies above a read end is marked', async (t) => {
  world.expectProblems('ERR_INTERNET_DISCONNECTED', 'ERR_NETWORK_CHANGED', /no response/);
  const random = randomOf(t);
  const scene = await sceneOf(world);
  const { ada } = scene;
  const page = await world.open(ada, '#inbox');
  await watch(page);
  const reader = new Reader(page, scene, random);
  await reader.write('looms', 40);
  await reader.write('spindles', 30);
  await reader.write('direct', 20);
  for (let action = 0; action < ACTIONS; action += 1) {
    await reader.act();
    await reader.check();
  }
  // And everything can be read.
  await page.evaluate(() => location.assign('#inbox'));
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.evaluate(() => location.assign('#feed'));
  await page.getByRole('region', { name: 'Messages', exact: true }).waitFor();
  await page.getByRole('article').first().waitFor();
  await world.settled(page);
  await page.keyboard.press('End');
  await until(async () => (await unreadOf(ada)).length === 0, 'everything to be read');
  await reader.check();
});
