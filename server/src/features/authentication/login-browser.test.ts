import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import {
  contrastOf,
  focused,
  isTooWide,
  startBrowser,
  type TestBrowser,
  untilFocused,
  withoutBrowser,
} from '../../testing/clients/browser.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

const USERNAME = 'owner@root.example.com';
const PASSWORD = 'correct horse battery';

describe('logging in with a browser', { skip: withoutBrowser }, () => {
  let server: TestServer;
  let browser: TestBrowser;

  before(async () => {
    server = await startTestServer();
    browser = await startBrowser();
  });
  after(async () => {
    await browser.stop();
    await server.stop();
  });

  // rules: login-18
  test('a user logs in and out of all browsers with the keyboard alone, on a phone', async () => {
    const page = await browser.page();
    await page.goto(`${server.url}/login/`);
    await untilFocused(page, 'Email address');
    await page.keyboard.type(USERNAME);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Password');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    assert.match(await page.title(), /^Error: /);
    await untilFocused(page, /do not go together/);
    await untilEqual(() => page.inputValue('#username'), USERNAME);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Show the password');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Log in');
    await page.keyboard.press('Space');
    await page.waitForURL(`${server.url}/`);
    await page.goto(`${server.url}/accounts/sessions/`);
    assert.match((await page.textContent('main')) ?? '', /You are logged in as Olive Owner/);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Log out of this browser');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Log out of all browsers');
    await page.keyboard.press('Enter');
    await page.waitForURL(/login/);
    await page.goto(`${server.url}/accounts/sessions/`);
    assert.match(page.url(), /\/login\//);
  });

  // rules: login-18
  test('the page fits into 320 pixels, and its text has enough contrast', async () => {
    const page = await browser.page({ width: 320 });
    await page.goto(`${server.url}/login/?mobile_flow_otp=${'a'.repeat(64)}`);
    await page.fill('#username', `${'long'.repeat(40)}@example.com`);
    await page.fill('#password', 'x');
    await page.click('button[type=submit]');
    await page.waitForSelector('[role=alert]');
    assert.equal(await isTooWide(page), false);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const selector of ['p', 'label', '.errors li', 'button[type=submit]']) {
        assert((await contrastOf(page, selector)) >= 4.5, `${selector}, ${colorScheme}`);
      }
    }
  });

  // rules: login-18
  test('the page has a heading, a main landmark, labels for all fields, and a language', async () => {
    const page = await browser.page();
    await page.goto(`${server.url}/login/`);
    await untilEqual(() => page.getAttribute('html', 'lang'), 'en');
    await untilEqual(() => page.getByRole('main').count(), 1);
    await untilEqual(() => page.getByRole('heading', { level: 1, name: 'Log in' }).count(), 1);
    await untilEqual(() => page.getByLabel('Email address').getAttribute('autocomplete'), 'username');
    await untilEqual(() => page.getByLabel('Password').getAttribute('autocomplete'), 'current-password');
    const outline = await page.evaluate(() => {
      document.querySelector<HTMLInputElement>('#username')?.focus();
      return getComputedStyle(document.activeElement ?? document.body).outlineStyle;
    });
    assert.equal(outline, 'solid');
  });

  // rules: login-7
  test('the Content-Security-Policy allows the redirect from the login page to the app', async () => {
    const page = await browser.page();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    const asked = new Promise<string>((resolve) => {
      page.on('response', (response) => {
        const { location } = response.headers();
        if (location?.startsWith('zulip:')) resolve(location);
      });
    });
    await page.goto(`${server.url}/login/?mobile_flow_otp=${'a'.repeat(64)}`);
    await page.fill('#username', USERNAME);
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    assert.match(await asked, /^zulip:\/\/login\?realm=/);
    assert.deepEqual(
      refused.filter((text) => text.includes('Content Security Policy')),
      [],
    );
  });
});
