/** What a view of the table is: who sees it, where it is, and what a person does to get there. */
import type { Locator, Page } from 'playwright-core';
import type { Person } from '../browser-world.ts';
import type { SampleOrganization } from './sample-organization.ts';

export type Device = 'desktop' | 'tablet' | 'phone';

export interface ViewStep {
  readonly page: Page;
  readonly device: Device;
  readonly sample: SampleOrganization;
}

export interface View {
  /** The name of its files. */
  readonly name: string;
  /** What it shows, for people. */
  readonly title: string;
  /** Who sees it. Default: `mara`, the owner. */
  readonly as?: (sample: SampleOrganization) => Person | 'spectator' | 'visitor';
  /** The fragment of its URL, or the path of a page without the app. */
  readonly route: (sample: SampleOrganization) => string;
  /** What happens to the page of the app before the view opens, for example to its network. */
  readonly before?: (step: ViewStep) => Promise<unknown>;
  /** What a person does there before the view is complete. */
  readonly act?: (step: ViewStep) => Promise<void>;
  /** An element that only the complete view has. */
  readonly shows: (page: Page) => Locator;
  /** Problems of the page that belong to the view, such as a network that is gone. */
  readonly problems?: readonly string[];
  /** The view changes its profile, for example the network. Others then get a new one. */
  readonly spoilsProfile?: boolean;
  /** Something in the view is loaded without end. */
  readonly isBusy?: boolean;
}

/** The route of a topic. */
export function topic(channel: string, name: string): View['route'] {
  return ({ channels }) => {
    const encoded = encodeURIComponent(name).replaceAll('.', '%2E').replaceAll('%', '.');
    return `#narrow/channel/${channels[channel]}-${channel}/topic/${encoded}`;
  };
}

/** Chooses an entry of a menu, which is a sheet on a phone. Without a button the menu is open. */
export async function choose(page: Page, button: string | RegExp | undefined, entry: string): Promise<void> {
  if (button !== undefined) await page.getByRole('button', { name: button }).first().click();
  const inMenu = page.getByRole('menuitem', { name: entry });
  await inMenu
    .or(page.getByRole('dialog').getByRole('button', { name: entry }))
    .first()
    .click();
}

/** The message with this text. */
export function message(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text }).first();
}

/** A view with this heading. */
export function heading(name: string | RegExp): View['shows'] {
  return (page) => page.getByRole('heading', { name }).first();
}
