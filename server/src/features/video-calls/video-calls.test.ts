import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

const SECRET = 'the secret of the video server';
const CREATED_AT = '1700000000123';
const SUCCESS = `<response><returncode>SUCCESS</returncode><createTime>${CREATED_AT}</createTime><messageKey/></response>`;
const WRONG_CHECKSUM = '<response><returncode>FAILED</returncode><messageKey>checksumError</messageKey></response>';

/** A BigBlueButton server for tests, which checks checksums like the real one. */
class VideoServer {
  /** The parameters of `create` requests, without the checksum. */
  readonly created: URLSearchParams[] = [];
  behaviour: ((response: ServerResponse) => void) | undefined;
  readonly #server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    if (this.behaviour !== undefined) {
      this.behaviour(response);
      return;
    }
    if (path !== '/bigbluebutton/api/create' || !hasChecksum('create', query)) response.end(WRONG_CHECKSUM);
    else {
      this.created.push(new URLSearchParams(query));
      response.end(SUCCESS);
    }
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/bigbluebutton/`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function hasChecksum(call: string, query: string): boolean {
  const [, asked = '', checksum = ''] = /^(.*)&checksum=([0-9a-f]+)$/.exec(query) ?? [];
  return createHash('sha256').update(`${call}${asked}${SECRET}`).digest('hex') === checksum;
}

describe('with a configured BigBlueButton server', () => {
  const video = new VideoServer();
  let server: TestServer;
  let member: TestClient;

  before(async () => {
    await video.start();
    // The URL without its trailing slash.
    const environment = { HEDDLE_BIG_BLUE_BUTTON_URL: video.url.slice(0, -1), HEDDLE_BIG_BLUE_BUTTON_SECRET: SECRET };
    server = await startTestServer({ environment });
    member = await server.user({ name: 'Mia & Ada' });
  });
  after(async () => {
    await server.stop();
    video.stop();
  });

  const link = async (client: TestClient, fields: Record<string, unknown> = {}): Promise<string> =>
    (await client.ok('GET', '/calls/bigbluebutton/create', { meeting_name: '#looms > day 1', ...fields })).url;
  const follow = (client: TestClient, path: string) => {
    const url = new URL(path, server.url);
    return client.ask('GET', url.pathname, Object.fromEntries(url.searchParams), { accept: 'text/html' });
  };

  test('organizations can choose BigBlueButton, and clients see it as available', async () => {
    const { state } = await server.owner.register({ fetch_event_types: ['realm'] });
    assert.deepEqual(state.realm_available_video_chat_providers.big_blue_button, { name: 'BigBlueButton', id: 4 });
    await server.owner.ok('PATCH', '/realm', { video_chat_provider: 4 });
    const { state: chosen } = await member.register({ fetch_event_types: ['realm'] });
    assert.equal(chosen.realm_video_chat_provider, 4);
  });

  test('the user who created a meeting joins as moderator and others as viewers, by links with valid checksums', async () => {
    const path = await link(member, { voice_only: true });
    assert.match(path, /^\/calls\/bigbluebutton\/join\?bigbluebutton=[\w.-]+$/);
    for (const [client, role] of [
      [member, 'MODERATOR'],
      [server.owner, 'VIEWER'],
    ] as const) {
      const { status, headers } = await follow(client, path);
      assert.equal(status, 302);
      const target = new URL(String(headers.location));
      assert.equal(`${target.origin}${target.pathname}`, `${video.url}api/join`);
      assert.ok(hasChecksum('join', target.search.slice(1)));
      const { checksum, ...fields } = Object.fromEntries(target.searchParams);
      const created = video.created.at(-1);
      assert.deepEqual(fields, {
        meetingID: created?.get('meetingID'),
        role,
        fullName: client.name,
        createTime: CREATED_AT,
      });
      assert.equal(created?.get('name'), '#looms > day 1');
      assert.equal(created?.get('lockSettingsDisableCam'), 'true');
    }
    assert.equal(new Set(video.created.map((one) => one.get('meetingID'))).size, 1);
    await follow(member, await link(member));
    assert.equal(video.created.at(-1)?.get('lockSettingsDisableCam'), 'false');
    assert.notEqual(video.created.at(-1)?.get('meetingID'), video.created.at(0)?.get('meetingID'));
  });

  test('a visitor without a session is redirected to the meeting through the login page', async () => {
    const path = await link(member, { meeting_name: 'ä'.repeat(256) });
    const visitor = new Visitor(server.url);
    const { location } = await visitor.get(path);
    assert.equal(location, `/login/?next=${encodeURIComponent(path)}`);
    const { location: next } = await visitor.logIn(
      server.owner.email,
      'correct horse battery',
      location.slice('/login/'.length),
    );
    assert.equal(next, path);
    assert.match((await visitor.get(next)).location, /api\/join\?.*role=VIEWER/);
  });

  test('a link that was changed, or belongs to another organization, is refused', async () => {
    const path = await link(member);
    const outsider = await server.organization('others');
    const [payload = '', signature = ''] = (path.split('=')[1] ?? '').split('.');
    const changed = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('zulip-', 'other-'));
    const before = video.created.length;
    for (const [client, signed] of [
      [member, `${changed.toString('base64url')}.${signature}`],
      [member, payload],
      [member, '.'],
      [outsider, `${payload}.${signature}`],
    ] as const) {
      const { status, text } = await follow(client, `/calls/bigbluebutton/join?bigbluebutton=${signed}`);
      assert.equal(status, 400);
      assert.match(text, /Invalid signature\./);
    }
    assert.equal(video.created.length, before);
  });

  test('errors of the video server are shown with their specific messages', async () => {
    const path = await link(member);
    const cases: readonly (readonly [RegExp, (response: ServerResponse) => void])[] = [
      [/Error authenticating/, (response) => response.end(WRONG_CHECKSUM)],
      [/unexpected error/, (response) => response.end('<response><returncode>FAILED</returncode></response>')],
      [/unexpected error/, (response) => response.end('no XML')],
      [/Error connecting/, (response) => response.writeHead(500).end(SUCCESS)],
      [/Error connecting/, (response) => response.writeHead(302, { location: '/' }).end()],
      [/Error connecting/, (response) => response.destroy()],
      [/Error connecting/, (response) => response.end('x'.repeat(100_000))],
    ];
    for (const [message, behaviour] of cases) {
      video.behaviour = behaviour;
      const { status, text } = await follow(member, path);
      assert.equal(status, 400);
      assert.match(text, message);
    }
    video.behaviour = undefined;
  });

  test('creating a link requires credentials', async () => {
    const { status } = await server.spectator.call('GET', '/calls/bigbluebutton/create', { meeting_name: 'x' });
    assert.equal(status, 401);
  });
});

test('without a configured server there are no meetings, and organizations cannot choose BigBlueButton', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const { state } = await server.owner.register({ fetch_event_types: ['realm'] });
  assert.deepEqual(Object.keys(state.realm_available_video_chat_providers), ['disabled', 'jitsi_meet', 'custom_url']);
  const { body } = await server.owner.call('GET', '/calls/bigbluebutton/create', { meeting_name: 'x' });
  assert.deepEqual([body.code, body.msg], ['BAD_REQUEST', 'BigBlueButton is not configured.']);
  const joining = await server.owner.ask('GET', '/calls/bigbluebutton/join', { bigbluebutton: 'a.b' });
  assert.match(joining.text, /BigBlueButton is not configured\./);
  const chosen = await server.owner.call('PATCH', '/realm', { video_chat_provider: 4 });
  assert.equal(chosen.body.msg, 'Invalid video_chat_provider 4');
});

// rules: video-calls-1, video-calls-2
test('an organization chooses its Jitsi server, that of the operator, or any URL', async (t) => {
  const server = await startTestServer({ environment: { HEDDLE_JITSI_URL: 'https://meet.example.com/rooms/' } });
  t.after(() => server.stop());
  const { state } = await server.owner.register({ fetch_event_types: ['realm'] });
  assert.deepEqual(
    [state.server_jitsi_server_url, state.realm_jitsi_server_url, state.realm_video_chat_url],
    ['https://meet.example.com/rooms', null, ''],
  );
  const queue = await server.owner.register({ event_types: ['realm'] });
  const video_chat_url = 'https://calls.example.com/{room}?lang=de';
  await server.owner.ok('PATCH', '/realm', { video_chat_provider: 100, video_chat_url });
  const changes = (await queue.now()).map(({ property, value }) => [property, value]);
  assert.deepEqual(changes, [
    ['video_chat_provider', 100],
    ['video_chat_url', video_chat_url],
  ]);
  for (const wrong of ['calls.example.com', 'javascript:alert(1)', 'ftp://example.com/']) {
    await server.owner.fails('PATCH', '/realm', { video_chat_url: wrong });
  }
  await server.owner.ok('PATCH', '/realm', { video_chat_url: '' });
});

// rules: video-calls-1
test('an operator can offer no Jitsi server', async (t) => {
  const server = await startTestServer({ environment: { HEDDLE_JITSI_URL: 'none' } });
  t.after(() => server.stop());
  const { state } = await server.owner.register({ fetch_event_types: ['realm'] });
  assert.equal(state.server_jitsi_server_url, null);
});
