import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { isFit, startBrowser, type TestBrowser, tabTo, withoutBrowser } from '../../testing/clients/browser.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

describe('logging in to a desktop app with a browser', { skip: withoutBrowser }, () => {
  let server: TestServer;
  let browser: TestBrowser;
  before(async () => {
    // This server shows the app's own page before it contacts the provider.
    server = await startTestServer({
      environment: {
        HEDDLE_OIDC_ISSUER: 'http://127.0.0.1:1',
        HEDDLE_OIDC_CLIENT_ID: 'heddle',
        HEDDLE_OIDC_CLIENT_SECRET: 'of no use',
      },
    });
    browser = await startBrowser();
  });
  after(async () => {
    await browser.stop();
    await server.stop();
  });

  // rules: login-8
  test('the page shows the token so that the keyboard can copy it', async () => {
    const page = await browser.page();
    await page.goto(`${server.url}/login/?desktop_flow_otp=${'a'.repeat(64)}`);
    await isFit(page, 'login-for-desktop');
    await page.fill('#username', 'owner@root.example.com');
    await page.fill('#password', 'correct horse battery');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Copy this token');
    await isFit(page, 'desktop-token');
    await tabTo(page, 'Token for the app');
    const selected = await page.evaluate(() => document.getSelection()?.toString());
    assert.equal(selected, await page.inputValue('#token'));
  });

  // rules: login-8
  test('the app’s page opens another window, and reports a wrong token', async () => {
    const page = await browser.page();
    await page.setExtraHTTPHeaders({ 'user-agent': 'ZulipElectron/5.12.0 (Linux)' });
    await page.goto(`${server.url}/accounts/login/social/oidc`);
    await untilEqual(() => page.getByRole('link', { name: 'Open the browser' }).getAttribute('target'), '_blank');
    await tabTo(page, 'Token from the browser');
    await page.keyboard.type('not it');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    await isFit(page, 'desktop-app');
  });
});
