import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import {
  focused,
  isTooWide,
  picture,
  startBrowser,
  type TestBrowser,
  untilFocused,
  untilProblemsFocused,
  withoutBrowser,
} from '../../../testing/clients/browser.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

describe('signing up with a browser', { skip: withoutBrowser }, () => {
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

  // rules: invitations-14
  test('a user signs up on a phone with the keyboard alone, after correcting an error', async () => {
    const { invite_link } = await server.owner.ok('POST', '/invites/multiuse');
    const page = await browser.page();
    await page.goto(invite_link);
    const next = async (expected: string): Promise<void> => {
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), expected);
    };
    await untilFocused(page, 'Full name');
    await page.keyboard.type('Ada Weaver');
    await next('Email address');
    await page.keyboard.type('ada@example.com');
    await next('Password');
    await page.keyboard.type('password');
    await page.keyboard.press('Enter');
    await untilProblemsFocused(page);
    assert.match(await page.title(), /^Error: Join Organization/);
    assert.equal(await isTooWide(page), false);
    await untilEqual(() => page.inputValue('#full_name'), 'Ada Weaver');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), 'Password');
    await page.keyboard.type('shuttle over warp');
    await next('Show the password');
    await next('Sign up');
    await picture(page, 'signup');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=You have an account now');
    assert.equal(await isTooWide(page), false);
    await picture(page, 'welcome');
    const { user } = await server.owner.ok('GET', '/users/ada@example.com');
    assert.equal(user.full_name, 'Ada Weaver');
  });
});
