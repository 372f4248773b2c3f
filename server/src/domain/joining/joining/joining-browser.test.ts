import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { untilEqual } from '@heddle/server/testing/server/until.ts';
import { sql } from 'kysely';
import {
  focused,
  isFit,
  startBrowser,
  type TestBrowser,
  tabTo,
  untilProblemsFocused,
  withoutBrowser,
} from '../../../testing/clients/browser.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { TestMailServer } from '../../../testing/services/mail-server.ts';

describe('joining with a browser', { skip: withoutBrowser }, () => {
  let mailServer: TestMailServer;
  let server: TestServer;
  let browser: TestBrowser;
  before(async () => {
    mailServer = await TestMailServer.start();
    server = await startTestServer({ environment: { ...mailServer.environment, HEDDLE_GRAVATAR: 'off' } });
    browser = await startBrowser();
  });
  after(async () => {
    await browser.stop();
    await server.stop();
    await mailServer.stop();
  });

  const link = async () => new URL((await server.owner.ok('POST', '/invites/multiuse')).invite_link).pathname;
  const newestLink = async () => (await server.owner.ok('GET', '/invites')).invites.at(-1);

  // rules: invitations-14
  test('a user joins on a phone with the keyboard alone, from the home page by mail to an account', async () => {
    await server.owner.ok('PATCH', '/realm', {
      invite_required: false,
      description: 'Weavers of the **valley**, and those who want to learn it.',
    });
    const page = await browser.page();
    await page.goto(server.url);
    await isFit(page, 'home');
    await tabTo(page, 'Sign up');
    await page.keyboard.press('Enter');
    await page.waitForURL(/register/);
    await tabTo(page, 'Email address');
    await page.keyboard.type('nowhere');
    await page.keyboard.press('Enter');
    await untilProblemsFocused(page);
    assert.match(await page.title(), /^Error: /);
    await isFit(page, 'address-refused');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), 'Email address');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('keys@example.com');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Look into your mails');
    await isFit(page, 'mail-sent');
    const [mail] = await mailServer.to(server, 'keys@example.com');
    await page.goto(server.url + mail?.path);
    await tabTo(page, 'Full name');
    await page.keyboard.type('Kay Ess');
    await tabTo(page, 'Password');
    await page.keyboard.type('shuttle over warp');
    await isFit(page, 'confirmed');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=You have an account now');
    await isFit(page, 'welcome-confirmed');
    await page.goto(`${server.url}/accounts/sessions/`);
    assert.match((await page.textContent('main')) ?? '', /logged in as Kay Ess/);
    await isFit(page, 'sessions');
    await server.owner.ok('PATCH', '/realm', { invite_required: true });
    await browser.forget();
  });

  // rules: invitations-14
  test('pages that refuse to create an account say why and link onward', async () => {
    const page = await browser.page();
    const shows = async (path: string, heading: string, name: string) => {
      await page.goto(server.url + path);
      assert.match(await page.title(), new RegExp(`^Error: ${heading}`));
      await untilEqual(() => page.getByRole('heading', { level: 1, name: heading }).count(), 1);
      await isFit(page, name);
    };
    const [revoked, expired, byMail] = [await link(), await link(), await link()];
    await server.owner.ok('DELETE', `/invites/multiuse/${(await newestLink()).id - 2}`);
    await sql`
      UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = ${(await newestLink()).id - 1}`.execute(
      server.app.db,
    );
    await page.goto(server.url + byMail);
    await page.fill('#email', 'old@example.com');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Look into your mails');
    const [mail] = await mailServer.to(server, 'old@example.com');
    await shows(revoked, 'This invitation has been revoked', 'revoked');
    await shows(expired, 'This invitation has expired', 'expired');
    await shows('/join/nothing/', 'There is no such invitation', 'unknown');
    await shows('/register/', 'You need an invitation', 'invited-only');
    await sql`UPDATE address_confirmations SET created_at = now() - interval '2 days'`.execute(server.app.db);
    await shows(mail?.path ?? '', 'This link is too old', 'confirmation-expired');
    await sql`UPDATE address_confirmations SET ended_at = now()`.execute(server.app.db);
    await shows(mail?.path ?? '', 'This link has been used', 'confirmation-used');
    await tabTo(page, 'Log in');
    await page.keyboard.press('Enter');
    await page.waitForURL(/login/);
  });

  // rules: invitations-14
  test('if mails are written to files, the page says whom to ask', async () => {
    const files = await startTestServer();
    try {
      await files.owner.ok('PATCH', '/realm', { invite_required: false });
      const page = await browser.page();
      await page.goto(`${files.url}/register/`);
      await page.fill('#email', `${'long'.repeat(15)}@example.com`);
      await page.keyboard.press('Enter');
      await page.waitForSelector('text=Ask for your mail');
      await isFit(page, 'mail-as-file');
    } finally {
      await files.stop();
    }
  });
});
