import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import {
  focused,
  isTooWide,
  startBrowser,
  type TestBrowser,
  untilFocused,
  untilProblemsFocused,
  withoutBrowser,
} from '../../../testing/clients/browser.ts';
import { mailsOf } from '../../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

describe('setting a new password with a browser', { skip: withoutBrowser }, () => {
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

  // rules: login-14
  test('a user resets the password on a phone with the keyboard alone, and then logs in', async () => {
    const { email } = server.owner;
    const page = await browser.page();
    const next = async (expected: string): Promise<void> => {
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), expected);
    };
    await page.goto(`${server.url}/login/`);
    await untilFocused(page, 'Email address');
    for (const one of ['Password', 'Show the password', 'Log in', 'Forgot your password?']) await next(one);
    await page.keyboard.press('Enter');
    await page.waitForURL(/password\/reset/);
    await untilFocused(page, 'Email address');
    await page.keyboard.type(email);
    await untilEqual(() => page.inputValue('input[name=email]'), email);
    await next('Ask for the link');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Ask for your mail');
    assert.equal(await isTooWide(page), false);
    const mail = (await mailsOf(server)).findLast(({ to }) => to === email);
    assert(mail !== undefined, 'the mail arrives');
    await page.goto(`${server.url}${mail.path}`);
    await untilFocused(page, 'New password');
    await page.keyboard.type('password');
    await page.keyboard.press('Enter');
    await untilProblemsFocused(page);
    assert.match(await page.title(), /^Error: /);
    assert.equal(await isTooWide(page), false);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), 'New password');
    await page.keyboard.type('shuttle over warp');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=The password is set');
    await next('Log in');
    await page.keyboard.press('Enter');
    await page.waitForURL(/login/);
    await page.fill('#username', email);
    await page.fill('#password', 'shuttle over warp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${server.url}/`);
  });
});
