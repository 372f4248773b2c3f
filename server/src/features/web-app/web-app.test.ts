import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { WebAppStart } from '@heddle/api/web-app.ts';
import { ensureWebBuild } from '../../../../scripts/web-build/ensure.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import type { WebBuildRecord } from './build-record.ts';

const OWNER = ['owner@root.example.com', 'correct horse battery'] as const;

let server: TestServer;
let build: string;
before(async () => {
  build = await ensureWebBuild();
  server = await startTestServer({ environment: { HEDDLE_WEB_DIR: build } });
});
after(() => server.stop());

async function loggedIn(to = server): Promise<Visitor> {
  const visitor = new Visitor(to.url);
  await visitor.logIn(...OWNER);
  return visitor;
}

/** The data of the page for its scripts. */
function startIn(html: string): WebAppStart {
  const [, json = ''] = /<script type="application\/json" id="start">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
}

describe('the page', () => {
  // rules: login-9
  test('a visitor without a session is led to the login page, and from there to the app', async () => {
    const visitor = new Visitor(server.url);
    const { status, location, headers } = await visitor.get('/');
    assert.deepEqual([status, location], [302, '/login/?next=%2F']);
    assert.match(String(headers['cache-control']), /no-store/);
    await visitor.get(location);
    const [username, password] = OWNER;
    const answer = await visitor.submit('/login/', { username, password });
    assert.deepEqual([answer.status, answer.location], [303, '/']);
    const { status: shown, text } = await visitor.get('/');
    assert.equal(shown, 200);
    assert.equal(startIn(text).userId, server.owner.userId);
    assert.equal(startIn(text).sendsMails, false);
  });

  // rules: login-9
  test('it names the organization and its configured address, whatever the Host header says', async () => {
    await server.owner.ok('PATCH', '/realm', { name: 'Warp & <Weft>' });
    const visitor = new Visitor(server.url, `127.0.0.1:${new URL(server.url).port}`);
    await visitor.logIn(...OWNER);
    const { text } = await visitor.get('/', { 'x-forwarded-host': 'evil.example' });
    assert.match(text, /<title>Warp &amp; &lt;Weft&gt;<\/title>/);
    assert.deepEqual([startIn(text).organizationName, startIn(text).serverUrl], ['Warp & <Weft>', server.url]);
    assert.doesNotMatch(text, /evil|__[A-Z]+__/);
  });

  test('its HTML has the language, the theme and the font size of the account', async () => {
    const visitor = await loggedIn();
    const looks = async () => {
      const { text } = await visitor.get('/');
      const [, language, theme] = /<html lang="([^"]*)" data-theme="([^"]*)">/.exec(text) ?? [];
      return [language, theme, /--font-scale:([^;}]*)/.exec(text)?.[1]];
    };
    assert.deepEqual(await looks(), ['en', '', '1']);
    const chosen = { default_language: 'de', color_scheme: 2, web_font_size_px: 20 };
    await server.owner.ok('PATCH', '/settings', chosen);
    assert.deepEqual(await looks(), ['de', 'dark', '1.25']);
    // The app has no texts of this language.
    await server.owner.ok('PATCH', '/settings', { default_language: 'pl', color_scheme: 3 });
    assert.deepEqual(await looks(), ['en', 'light', '1.25']);
    await server.owner.ok('PATCH', '/settings', { default_language: 'en', color_scheme: 1, web_font_size_px: 16 });
  });

  test('its policy allows no inline script, no text as HTML and no other server', async () => {
    const { headers } = await (await loggedIn()).get('/');
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((directive) => [directive.split(' ', 1)[0], directive.replace(/^\S+ /, '')]),
    );
    assert.equal(policy.get('default-src'), "'none'");
    assert.equal(policy.get('script-src'), "'self'");
    assert.match(policy.get('style-src') ?? '', /^'self' 'nonce-[\w+/]{24}'$/);
    assert.equal(policy.get('img-src'), "'self' data: blob:");
    assert.equal(policy.get('require-trusted-types-for'), "'script'");
    assert.equal(policy.get('trusted-types'), 'dompurify heddle-worker');
    assert.equal(policy.get('worker-src'), "'self'");
    assert.equal(policy.get('frame-ancestors'), "'none'");
    assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|\*|https?:/);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['cache-control']), /no-store/);
  });

  test('the nonce is new in each response, and equal in the page and its policy', async () => {
    const visitor = await loggedIn();
    const nonces = new Set<string>();
    for (let count = 0; count < 3; count += 1) {
      const { text, headers } = await visitor.get('/');
      const [, nonce = ''] = /property="csp-nonce" nonce="([^"]+)"/.exec(text) ?? [];
      assert(String(headers['content-security-policy']).includes(`'nonce-${nonce}'`));
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 3);
  });

  // rules: login-9, spectators-1
  test('where spectators may read a channel, a visitor gets the app without an account', async () => {
    const owner = await server.organization('open');
    const visitor = new Visitor(server.url, `open.${new URL(server.url).host}`);
    assert.equal((await visitor.get('/')).status, 302);
    await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
    assert.equal((await visitor.get('/')).status, 302);
    await owner.ok('POST', '/channels/create', { name: 'shown', subscribers: [], is_web_public: true });
    const { status, text } = await visitor.get('/');
    assert.deepEqual([status, startIn(text).userId], [200, null]);
    const { json } = await visitor.send('POST', '/json/register', {});
    assert.deepEqual([json.result, json.queue_id], ['success', null]);
  });

  test('the cookie of a session that has ended is deleted', async () => {
    const visitor = await loggedIn();
    const other = new Visitor(server.url);
    for (const [name, value] of visitor.jar) other.jar.set(name, value);
    await visitor.get('/accounts/sessions/');
    await visitor.submit('/accounts/logout/');
    assert.equal((await other.get('/')).status, 302);
    assert.equal(other.jar.has('sessionid'), false);
  });

  test('a browser that has lost the token for writes gets it again', async () => {
    const visitor = await loggedIn();
    visitor.jar.delete('csrftoken');
    const { text } = await visitor.get('/');
    const token = visitor.jar.get(startIn(text).csrfCookie) ?? '';
    const { status } = await visitor.send('POST', '/json/register', { event_types: [] }, { 'x-csrftoken': token });
    assert.equal(status, 200);
    assert.equal((await visitor.send('POST', '/json/register', { event_types: [] })).status, 403);
  });

  test('unknown organizations keep their page', async () => {
    const { status, text } = await new Visitor(server.url, `nobody.${new URL(server.url).host}`).get('/');
    assert.deepEqual([status, /Organization not found/.test(text)], [404, true]);
  });

  test('without a build, a page says so to users, and all else works', async () => {
    const bare = await startTestServer();
    try {
      const { status, text } = await (await loggedIn(bare)).get('/');
      assert.equal(status, 503);
      assert.match(text, /The web app of this server is not built/);
      assert.equal((await new Visitor(bare.url).get('/')).status, 302);
      assert.equal((await bare.owner.ok('GET', '/users/me')).user_id, bare.owner.userId);
    } finally {
      await bare.stop();
    }
  });

  test('the policy allows pictures of gravatar only if the operator enables them', async () => {
    const policyOf = async (of: TestServer) =>
      String((await (await loggedIn(of)).get('/')).headers['content-security-policy']);
    assert.match(await policyOf(server), /img-src 'self' data: blob:;/);
    const withGravatar = await startTestServer({ environment: { HEDDLE_WEB_DIR: build, HEDDLE_GRAVATAR: 'on' } });
    try {
      assert.match(await policyOf(withGravatar), /img-src 'self' data: blob: https:\/\/secure\.gravatar\.com;/);
    } finally {
      await withGravatar.stop();
    }
  });
});

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Requests a file without decoding it. */
function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const outgoing = request(`${server.url}${path}`, { method, headers }, async (incoming) => {
    const body = Buffer.concat(await incoming.toArray());
    resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body });
  });
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}

describe('the files', () => {
  async function scripts(): Promise<string[]> {
    const { text } = await (await loggedIn()).get('/');
    return Array.from(text.matchAll(/"(\/static\/app\/[^"]+\.js)"/g), ([, path = '']) => path);
  }

  test('each file that the page names exists, can be kept forever, and has a type that browsers accept', async () => {
    const { text } = await (await loggedIn()).get('/');
    const paths = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, path = '']) => path);
    assert(paths.length >= 6);
    for (const path of paths.filter((one) => one !== '/manifest.webmanifest')) {
      const { status, headers } = await get(path);
      assert.equal(status, 200, path);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['content-type']), /^(text\/(javascript|css)|image\/(png|svg\+xml)|font\/woff2)/);
      assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|sandbox/);
    }
  });

  test('pages before the login load the font of the app, at every host', async () => {
    const fontIn = (html: string) => /<link rel="preload" href="([^"]+)" as="font"/.exec(html)?.[1] ?? '';
    const { text: app } = await (await loggedIn()).get('/');
    for (const host of [new URL(server.url).host, `nowhere.localhost:${new URL(server.url).port}`]) {
      const visitor = new Visitor(server.url, host);
      const { text } = await visitor.get('/login/');
      assert.equal(fontIn(text), fontIn(app), host);
      const { status, headers } = await visitor.get(fontIn(text));
      assert.deepEqual([status, headers['content-type']], [200, 'font/woff2'], host);
      const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? [];
      assert((await visitor.get(style)).text.includes(`url("${fontIn(app)}")`), host);
    }
  });

  test('they are sent in the best coding that the client accepts, and the codings have different validators', async () => {
    const path = (await scripts()).find((one) => one.includes('/react-')) ?? '';
    const plain = await get(path);
    assert.equal(plain.headers['content-encoding'], undefined);
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    const cases = { 'gzip, deflate, br, zstd': 'br', 'gzip, deflate': 'gzip', 'br;q=0, gzip': 'gzip' } as const;
    for (const [accepted, coding] of Object.entries(cases)) {
      const { headers, body } = await get(path, { 'accept-encoding': accepted });
      assert.equal(headers['content-encoding'], coding, accepted);
      assert.equal(headers.vary, 'Accept-Encoding');
      assert.equal(Number(headers['content-length']), body.length);
      assert.notEqual(headers.etag, plain.headers.etag);
      assert(body.length * 2 < plain.body.length);
      assert.deepEqual(decoders[coding](body), plain.body);
    }
    for (const accepted of ['identity', 'zstd', '']) {
      assert.equal((await get(path, { 'accept-encoding': accepted })).headers['content-encoding'], undefined);
    }
  });

  test('HEAD, conditional requests and ranges work', async () => {
    const [path = ''] = await scripts();
    const brotli = { 'accept-encoding': 'br' };
    const { headers, body } = await get(path, brotli);
    const head = await get(path, brotli, 'HEAD');
    assert.deepEqual([head.status, head.headers['content-length'], head.body.length], [200, String(body.length), 0]);
    const again = await get(path, { ...brotli, 'if-none-match': String(headers.etag) });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
    const part = await get(path, { ...brotli, range: 'bytes=0-9' });
    assert.deepEqual([part.status, part.headers['content-encoding'], part.body.length], [206, undefined, 10]);
    assert.deepEqual(part.body, (await get(path)).body.subarray(0, 10));
  });

  test('no other file of the server can be requested', async () => {
    for (const name of ['build.json', 'index.html', '..%2Fbuild.json', '%2e%2e/index.html', 'x.js', '']) {
      assert.equal((await get(`/static/app/${name}`)).status, 404, name);
    }
  });

  test('the script that registers first is small and needs no other file', async () => {
    const early = (await scripts()).find((path) => path.includes('/early-')) ?? '';
    const { body } = await get(early);
    assert(body.length < 4000, `${body.length} bytes`);
    assert.doesNotMatch(body.toString(), /\bimport\b/);
  });

  test('the manifest names the organization and icons that exist', async () => {
    const { headers, body } = await get('/manifest.webmanifest');
    assert.match(String(headers['content-type']), /^application\/manifest\+json/);
    const manifest = JSON.parse(body.toString());
    assert.deepEqual([manifest.id, manifest.start_url, manifest.display], ['/', '/#', 'standalone']);
    assert.equal(manifest.name, (await server.owner.ok('GET', '/server_settings')).realm_name);
    assert(manifest.icons.some(({ purpose }: { readonly purpose: string }) => purpose === 'maskable'));
    const factors = manifest.screenshots.map(({ form_factor }: { readonly form_factor: string }) => form_factor);
    assert.deepEqual(factors, ['narrow', 'wide']);
    for (const { src, type } of [...manifest.icons, ...manifest.screenshots]) {
      assert.equal((await get(src)).headers['content-type'], type, src);
    }
  });

  test('the manifest names its shortcuts in the language of the browser', async () => {
    const namesIn = async (language: string) => {
      const { body } = await get('/manifest.webmanifest', { 'accept-language': language });
      const { lang, shortcuts } = JSON.parse(body.toString());
      return [lang, ...shortcuts.map(({ name }: { readonly name: string }) => name)];
    };
    assert.deepEqual(await namesIn('en-GB'), ['en', 'New message', 'Inbox', 'Search']);
    assert.deepEqual(await namesIn('de-AT, en;q=0.5'), ['de', 'Neue Nachricht', 'Eingang', 'Suche']);
  });

  test('without the service worker, a shared text leads to the app, and files lead to a page that says so', async () => {
    const share = async (fill: (form: FormData) => void) => {
      const body = new FormData();
      fill(body);
      const { status, headers } = await fetch(`${server.url}/share`, { method: 'POST', body, redirect: 'manual' });
      assert.equal(status, 303);
      return headers.get('location');
    };
    const text = await share((form) => {
      form.append('title', 'Warp & weft');
      form.append('text', 'Warp & weft');
      form.append('url', 'https://example.com/?a=1#b');
    });
    assert.equal(text, `/#share/text/${encodeURIComponent('Warp & weft\nhttps://example.com/?a=1#b')}`);
    const named = await share((form) => {
      form.append('text', 'a photo');
      form.append('files', new Blob([Buffer.alloc(10)]), 'loom.png');
    });
    assert.equal(named, '/#share/files/a%20photo');
    const large = await share((form) => form.append('files', new Blob([Buffer.alloc(200_000)]), 'loom.png'));
    assert.equal(large, '/#share/files/');
    const nothing = await share((form) => form.append('title', ' '));
    assert.equal(nothing, '/#share/text/');
    // The limit can be in the middle of a character.
    const long = await share((form) => form.append('text', `${'a'.repeat(15_999)}🧶 and more`));
    assert.match(long ?? '', /aa%EF%BF%BD$/);
  });

  test('a tab that was opened before an upgrade still gets the files of its version', async () => {
    const builds = await mkdtemp(join(tmpdir(), 'heddle-builds-'));
    try {
      const names = ['a'.repeat(20), 'b'.repeat(20)];
      for (const name of names) await writeBuild(join(builds, name), `part-${name[0]}.js`);
      const upgraded = await startTestServer({ environment: { HEDDLE_WEB_DIR: join(builds, names[1] ?? '') } });
      try {
        for (const file of ['part-a.js', 'part-b.js']) {
          const response = await fetch(`${upgraded.url}/static/app/${file}`);
          assert.deepEqual([response.status, await response.text()], [200, file]);
        }
      } finally {
        await upgraded.stop();
      }
    } finally {
      await rm(builds, { recursive: true });
    }
  });
});

/** Writes a build with one file. */
async function writeBuild(directory: string, name: string): Promise<void> {
  await mkdir(join(directory, 'files'), { recursive: true });
  const record: WebBuildRecord = { files: { [name]: { type: 'text/javascript', size: name.length } }, icons: [] };
  await writeFile(join(directory, 'files', name), name);
  await writeFile(join(directory, 'build.json'), JSON.stringify(record));
  await writeFile(join(directory, 'index.html'), await readFile(join(build, 'index.html')));
}

// rules: login-9
test('pages without their trailing slash are redirected with their query, and other paths are not', async () => {
  const visitor = new Visitor(server.url);
  const leads = async (path: string) => {
    const { status, location } = await visitor.get(path);
    return [status, location];
  };
  assert.deepEqual(await leads('/login'), [302, '/login/']);
  assert.deepEqual(await leads('/login?next=%2Faccounts%2Fsessions%2F%3Fa'), [
    302,
    '/login/?next=%2Faccounts%2Fsessions%2F%3Fa',
  ]);
  assert.deepEqual(await leads('/register'), [302, '/register/']);
  for (const path of ['/nothing', '//evil.example/login', '/login/x', '/api/v1/messages/x/y']) {
    assert.deepEqual(await leads(path), [404, ''], path);
  }
  const { status } = await visitor.send('POST', '/login', { username: 'a', password: 'b' });
  assert.equal(status, 404);
});
