import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ensureWebBuild } from '../../../../scripts/web-build/ensure.ts';
import { type Page, startBrowser, type TestBrowser, withoutBrowser } from '../../testing/clients/browser.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';

const USERNAME = 'owner@root.example.com';
const PASSWORD = 'correct horse battery';
const REGISTRATION = /\/json\/register$/;
const MAIN_SCRIPT = /\/main-[^/]+\.js$/;

describe('the app in a browser', { skip: withoutBrowser }, () => {
  let server: TestServer;
  let browser: TestBrowser;

  before(async () => {
    const build = await ensureWebBuild();
    server = await startTestServer({ environment: { HEDDLE_WEB_DIR: build } });
    browser = await startBrowser();
  });
  after(async () => {
    await browser.stop();
    await server.stop();
  });

  /** A page that records what the browser refuses and reports. Its first navigation is to this path. */
  async function open(path: string): Promise<{ readonly page: Page; readonly problems: string[] }> {
    const page = await browser.page();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.exposeFunction('reportViolation', (violation: string) => problems.push(violation));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
        const report = Reflect.get(globalThis, 'reportViolation') as (violation: string) => void;
        report(`${violatedDirective}: ${blockedURI} ${sample}`);
      });
    });
    await page.goto(server.url + path);
    return { page, problems };
  }

  async function logIn(page: Page): Promise<void> {
    await page.fill('#username', USERNAME);
    await page.fill('#password', PASSWORD);
    await page.keyboard.press('Enter');
    await shown(page);
  }

  /** A page of the app. Its session is that of the pages before. */
  async function openApp(): Promise<Page> {
    const { page } = await open('/');
    if (new URL(page.url()).pathname === '/login/') await logIn(page);
    await shown(page);
    return page;
  }

  /** Waits until React has rendered something. */
  async function shown(page: Page): Promise<void> {
    await page.waitForFunction(() => (document.getElementById('app')?.childElementCount ?? 0) > 0);
  }

  /** The methods of all requests to register from now on. */
  function registrationsOf(page: Page): readonly string[] {
    const methods: string[] = [];
    page.on('request', (request) => {
      if (REGISTRATION.test(request.url())) methods.push(request.method());
    });
    return methods;
  }

  // rules: login-9
  test('a link to a conversation survives the login, and the app runs without a violation of its policy', async () => {
    await browser.forget();
    const { page, problems } = await open('/#narrow/is/starred');
    assert.equal(new URL(page.url()).pathname, '/login/');
    // A wrong password shows the page again.
    await page.fill('#username', USERNAME);
    await page.fill('#password', 'wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    // The refusal has status 400, which the console mentions.
    await until(() => problems.length > 0, 'the line of the console');
    assert.match(problems.splice(0).join('\n'), /^Failed to load resource.*400[^\n]*$/);
    const [response] = await Promise.all([page.waitForResponse(REGISTRATION), logIn(page)]);
    await response.finished();
    assert.equal(page.url(), `${server.url}/#narrow/is/starred`);
    await page.reload();
    await shown(page);
    assert.deepEqual(problems, []);
  });

  test('a link to a conversation survives a login with single sign-on, too', async () => {
    const withProvider = await startTestServer({
      environment: {
        HEDDLE_OIDC_ISSUER: 'http://localhost:1',
        HEDDLE_OIDC_CLIENT_ID: 'heddle',
        HEDDLE_OIDC_CLIENT_SECRET: 'a secret of the provider',
      },
    });
    try {
      await browser.forget();
      const page = await browser.page();
      await page.goto(`${withProvider.url}/#narrow/is/starred`);
      const link = await page.getByRole('link', { name: 'Log in with OpenID Connect' }).getAttribute('href');
      assert.equal(new URL(link ?? '', page.url()).searchParams.get('next'), '/#narrow/is/starred');
    } finally {
      await withProvider.stop();
    }
  });

  test('the policy stops scripts and styles that an attacker adds, and text that becomes HTML', async () => {
    const page = await openApp();
    // Without the app, which would make the only policy of this name itself.
    await page.route(MAIN_SCRIPT, (route) => route.abort());
    await page.reload();
    const { styleWithout, ...found } = await page.evaluate(attackPage);
    assert.notEqual(styleWithout, found.styleWithNonce);
    assert.deepEqual(found, {
      html: 'TypeError',
      script: 'TypeError',
      sanitized: '&lt;b>x',
      otherPolicy: 'TypeError',
      handler: 'script-src-attr',
      styleWithNonce: 'rgb(1, 2, 3)',
      styleAttribute: '',
    });
  });

  test('the app registers before its main script has arrived, and only once', async () => {
    const page = await openApp();
    // The page before has stored its state, so this one would continue from there.
    await page.addInitScript(() => localStorage.clear());
    const registrations = registrationsOf(page);
    // The main script waits for the request. If the request waited for the script, the test would fail by its timeout.
    await page.route(MAIN_SCRIPT, async (route) => {
      if (registrations.length === 0) await page.waitForRequest(REGISTRATION);
      await route.continue();
    });
    await page.reload();
    await shown(page);
    assert.deepEqual(registrations, ['POST']);
  });

  test('the first script registers unless the app has stored its state and a queue that lives', async () => {
    const page = await openApp();
    // Without the main script, only the first one runs.
    await page.route(MAIN_SCRIPT, (route) => route.abort());
    const registrations = registrationsOf(page);
    const storeUntil = (until: number) =>
      page.evaluate(([name, value]) => localStorage.setItem(name, value), [
        `heddle-resumable-until-${server.owner.userId}`,
        String(until),
      ] as const);
    await storeUntil(Date.now() + 600_000);
    await page.reload({ waitUntil: 'networkidle' });
    assert.deepEqual(registrations, []);
    await storeUntil(Date.now() - 1);
    await Promise.all([page.waitForResponse(REGISTRATION), page.reload()]);
    assert.deepEqual(registrations, ['POST']);
  });

  // rules: login-9, spectators-1
  test('a visitor reads as a spectator, without an error', async () => {
    await browser.forget();
    await server.owner.ok('PATCH', '/realm', { enable_spectator_access: true });
    await server.owner.ok('POST', '/channels/create', { name: 'shown', subscribers: [], is_web_public: true });
    const page = await browser.page();
    const [response] = await Promise.all([page.waitForResponse(REGISTRATION), page.goto(`${server.url}/`)]);
    await shown(page);
    const { result, queue_id } = await response.json();
    assert.deepEqual([result, queue_id], ['success', null]);
    assert.equal(page.url(), `${server.url}/`);
  });
});

/** Runs in the page: tries what the policy forbids, and what the app needs. Returns the outcomes. */
async function attackPage() {
  const outcome = (act: () => unknown): string => {
    try {
      return String(act());
    } catch (error) {
      return error instanceof Error ? error.name : 'no error';
    }
  };
  const { trustedTypes } = globalThis as unknown as {
    readonly trustedTypes: { createPolicy(name: string, rules: object): { createHTML(text: string): string } };
  };
  // A policy with the name of the sanitizer that sanitizes nothing but `<b`.
  const purify = trustedTypes.createPolicy('dompurify', { createHTML: (text: string) => text.replace('<b', '&lt;b') });
  const box = document.createElement('div');
  const set = (html: string) => {
    box.innerHTML = html;
    return box.innerHTML;
  };
  const colorWith = (nonce: string): string => {
    const element = document.createElement('style');
    element.nonce = nonce;
    element.textContent = 'body { outline-color: rgb(1, 2, 3); }';
    document.head.append(element);
    const { outlineColor } = getComputedStyle(document.body);
    element.remove();
    return outlineColor;
  };
  const script = document.createElement('script');
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  const sanitized = set(purify.createHTML('<b>x')).replace('&gt;', '>');
  const violated = new Promise<string>((resolve) => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => resolve(violatedDirective), {
      once: true,
    });
  });
  document.body.append(box);
  set(purify.createHTML('<img alt="" onclick="document.title = 1">'));
  box.querySelector('img')?.click();
  const handler = await violated;
  const styled = document.createElement('p');
  styled.setAttribute('style', 'color: red');
  return {
    html: outcome(() => set('<b>x</b>')),
    script: outcome(() => {
      script.text = 'document.title = 1';
    }),
    sanitized,
    otherPolicy: outcome(() => trustedTypes.createPolicy('other', {})),
    handler,
    styleWithNonce: colorWith(nonce),
    styleWithout: colorWith(''),
    styleAttribute: styled.style.color,
  };
}
