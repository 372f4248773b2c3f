/** A person who uses the web app in a browser at the machine of the people. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHROMIUM } from '@heddle/server/testing/clients/chromium.ts';
import { until } from '@heddle/server/testing/server/until.ts';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Machine } from './machine.ts';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

export interface Account {
  readonly url: string;
  readonly email: string;
  readonly password: string;
}

export class Person {
  readonly #context: BrowserContext;
  readonly #page: Page;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.#page = page;
  }

  /**
   * Logs in, and opens a conversation.
   * @param directory for the browser, at the same path at the machine
   * @param route of the conversation
   */
  static async logIn(
    clients: Machine,
    { url, email, password }: Account,
    { directory, route }: { readonly directory: string; readonly route: string },
  ): Promise<Person> {
    const program = join(directory, 'browser.sh');
    writeFileSync(program, `#!/bin/sh\nexec ${clients.command.join(' ')} ${CHROMIUM} "$@"\n`);
    chmodSync(program, 0o755);
    const context = await chromium.launchPersistentContext(join(directory, 'profile'), {
      executablePath: program,
      headless: true,
      args: ARGUMENTS,
      ignoreHTTPSErrors: true,
      locale: 'en-US',
      serviceWorkers: 'block',
    });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto(`${url}/login/`);
    await page.getByRole('main').getByRole('textbox').first().fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('main').first().waitFor();
    await page.goto(`${url}/#narrow/${route}`);
    const person = new Person(context, page);
    await person.#box.waitFor();
    // A load of the page would remove it.
    await page.evaluate(() => {
      document.documentElement.dataset.opened = 'once';
    });
    return person;
  }

  async write(text: string): Promise<void> {
    await this.#box.fill(text);
    await this.#box.press('Control+Enter');
  }

  /** Resolves when the page shows that the message has arrived. */
  async hasSent(text: string): Promise<void> {
    const shown = this.#page.getByRole('article').filter({ hasText: text });
    await until(async () => {
      const texts = await shown.allInnerTexts();
      return texts.length === 1 && !/Not sent/.test(texts[0] ?? '');
    }, `the message ${text} of the person`);
  }

  /** Whether the page is the one that was opened first. */
  async hasOnePage(): Promise<boolean> {
    return this.#page.evaluate(() => document.documentElement.dataset.opened === 'once');
  }

  async leave(): Promise<void> {
    await this.#context.close();
  }

  get #box() {
    return this.#page.getByRole('textbox', { name: 'Message', exact: true });
  }
}
