/** Brings a page to a view of the table. */
import type { Page } from 'playwright-core';
import type { BrowserWorld, OpenOptions } from '../browser-world.ts';
import type { SampleOrganization } from './sample-organization.ts';
import type { Device, View } from './view.ts';

/** Opens views one after the other, each in a new page. */
export class Viewer {
  readonly #world: BrowserWorld;
  readonly #sample: SampleOrganization;
  readonly #device: Device;
  readonly #options: OpenOptions;
  /** A page of each person. Further pages share its profile, so the browser has the app in its cache. */
  readonly #profiles = new Map<string, Page>();

  constructor(world: BrowserWorld, sample: SampleOrganization, device: Device, options: OpenOptions = {}) {
    this.#world = world;
    this.#sample = sample;
    this.#device = device;
    this.#options = { ...options, device };
  }

  /** Opens the view, runs `look` when it is complete and still, and closes the page. */
  async show(view: View, look: (page: Page) => Promise<void>): Promise<void> {
    const page = await this.#open(view);
    await view.act?.({ page, device: this.#device, sample: this.#sample });
    await view.shows(page).waitFor();
    await settle(page);
    await look(page);
    if (view.spoilsProfile) await page.context().close();
    else await page.close();
  }

  async #open(view: View): Promise<Page> {
    const world = this.#world;
    const person = view.as?.(this.#sample) ?? this.#sample.people.mara;
    const route = view.route(this.#sample);
    if (view.problems !== undefined) world.expectProblems(...view.problems);
    if (typeof person === 'string') return world.openAsSpectator(route, this.#options);
    if (view.spoilsProfile) return world.open(person, route, this.#options);
    const beside = this.#profiles.get(person.name);
    const page = await world.open(person, route, { ...this.#options, ...(beside && { beside }) });
    this.#profiles.set(person.name, page);
    return page;
  }
}

/** Waits until pictures and fonts are there and nothing moves. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  );
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });
}
