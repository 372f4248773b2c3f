/** Brings a page to a view of the table. */
import type { Page } from 'playwright-core';
import { OVERLAYS } from '../axe.ts';
import type { BrowserWorld, OpenOptions } from '../browser-world.ts';
import { untilStill } from '../still.ts';
import { germanPage } from './german.ts';
import type { SampleOrganization } from './sample-organization.ts';
import type { Device, View, ViewStep } from './view.ts';

export interface ViewerOptions extends OpenOptions {
  /**
   * Whether a page stays open after a view in which the person did something, because loading the app takes longer than the view. The
   * person closes what is open and goes elsewhere. By default the next view gets a new page.
   */
  readonly keepsPages?: boolean;
}

/**
 * Opens views one after the other. A view that only has an address follows the one before in the same page, as if the person chose a
 * link.
 */
export class Viewer {
  readonly #world: BrowserWorld;
  readonly #sample: SampleOrganization;
  readonly #device: Device;
  readonly #options: OpenOptions;
  readonly #keepsPages: boolean;
  /** A page of each person. Further pages share its profile, so the browser has the app in its cache. */
  readonly #profiles = new Map<string, Page>();

  constructor(
    world: BrowserWorld,
    sample: SampleOrganization,
    device: Device,
    { keepsPages = false, ...options }: ViewerOptions = {},
  ) {
    this.#world = world;
    this.#sample = sample;
    this.#device = device;
    this.#options = { ...options, device };
    this.#keepsPages = keepsPages;
  }

  /** Opens the view, and runs `look` when it is complete and still. */
  async show(view: View, look: (page: Page) => Promise<void>): Promise<void> {
    if (view.problems !== undefined) this.#world.expectProblems(...view.problems);
    const page = await this.#open(view);
    try {
      await view.act?.(this.#step(page));
      await view.shows(this.#seen(page)).waitFor();
      await settle(page, view);
      await look(page);
    } catch (error) {
      // The page may be anywhere.
      await page.close();
      throw error;
    }
    const hasAccount = this.#profiles.get(nameOf(this.#personOf(view))) === page;
    if (!hasAccount) await page.context().close();
    else if (view.act !== undefined && !(this.#keepsPages && (await closeOverlays(page)))) await page.close();
  }

  async #open(view: View): Promise<Page> {
    const world = this.#world;
    const person = this.#personOf(view);
    const route = view.route(this.#sample);
    if (person === 'visitor' || person === 'spectator') return world.openAsSpectator(route, this.#options);
    if (view.spoilsProfile) {
      const page = await world.open(person, view.before === undefined ? route : '#inbox', this.#options);
      if (view.before === undefined) return page;
      await view.before(this.#step(page));
      await follow(page, route);
      return page;
    }
    const known = this.#profiles.get(person.name);
    if (known?.isClosed() === false) {
      await follow(known, route);
      return known;
    }
    const page = await world.open(person, route, { ...this.#options, ...(known && { beside: known }) });
    this.#profiles.set(person.name, page);
    return page;
  }

  #personOf(view: View): ReturnType<NonNullable<View['as']>> {
    return view.as?.(this.#sample) ?? this.#sample.people.mara;
  }

  #step(page: Page): ViewStep {
    return { page: this.#seen(page), device: this.#device, sample: this.#sample };
  }

  /** The page for the steps of the view, which name elements in English. */
  #seen(page: Page): Page {
    return this.#options.locale?.startsWith('de') ? germanPage(page) : page;
  }
}

function nameOf(person: ReturnType<NonNullable<View['as']>>): string {
  return typeof person === 'string' ? '' : person.name;
}

/** Layers in layers, for example a menu in a dialog. */
const MAX_LAYERS = 3;

/** A view that has nothing to close or to lose. */
const ELSEWHERE = '#keyboard-shortcuts';

/** Closes dialogs and menus, and leaves the view. Returns false if something stays open. */
async function closeOverlays(page: Page): Promise<boolean> {
  const overlays = page.locator(OVERLAYS);
  for (let layer = 0; layer < MAX_LAYERS && (await overlays.count()) > 0; layer += 1) {
    await page.keyboard.press('Escape');
    await untilStill(page);
  }
  await follow(page, ELSEWHERE);
  return (await overlays.count()) === 0;
}

/** Goes to another address of the app, without loading it again. Resolves after the app has followed. */
function follow(page: Page, hash: string): Promise<void> {
  return page.evaluate(async (wanted) => {
    if (window.location.hash === wanted) return;
    const followed = new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }));
    window.location.hash = wanted;
    await followed;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, hash);
}

/** Waits until everything is loaded and nothing moves. */
export async function settle(page: Page, { isBusy = false }: Pick<View, 'isBusy'> = {}): Promise<void> {
  await page.waitForFunction(
    (mayLoad) =>
      [...document.images].every(({ complete, loading }) => complete || loading === 'lazy') &&
      // On a touch screen, a dialog with a field waits for the keyboard of the screen before it appears.
      [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].every((one) =>
        one.checkVisibility({ opacityProperty: true }),
      ) &&
      (mayLoad || document.querySelector('[aria-busy=true]') === null),
    isBusy,
  );
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
  await untilStill(page);
}
