import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { AddressVisibility } from '../../../access/addresses.ts';
import { Role } from '../../../directory/records.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { plainPicture, upload } from '../../../testing/clients/uploading.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let member: TestClient;
let other: TestClient;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_WEB_PUBLIC_CHANNELS: 'on' } });
  member = await server.user({ name: 'Member' });
  other = await server.user({ name: 'Other' });
});
after(() => server.stop());

const path = '/users/me/avatar';

async function set(client: TestClient, file?: Buffer): Promise<string> {
  const { status, body } = await upload(server.url, client, { path, file: file ?? (await plainPicture(600, 300)) });
  assert.equal(status, 200, JSON.stringify(body));
  return body.avatar_url;
}

async function refusal(client: TestClient, file: Buffer, name = 'x.png', type = 'image/png'): Promise<string> {
  const { status, body } = await upload(server.url, client, { path, file, name, type });
  return `${status} ${body.code}`;
}

async function fetched(url: string) {
  const response = await fetch(new URL(url, server.url));
  const content = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, content };
}

const medium = (url: string) => url.replace('.png', '-medium.png');

/** Returns where the path redirects to, or the status. */
async function lead(client: TestClient | undefined, to: string): Promise<string> {
  const response = await fetch(`${server.url}${to}`, {
    redirect: 'manual',
    headers: client === undefined ? {} : { authorization: `Basic ${btoa(`${client.email}:${client.apiKey}`)}` },
  });
  return response.headers.get('location') ?? `${response.status}`;
}

describe('one’s own picture', () => {
  // rules: pictures-1
  test('a new picture sends an event, and appears in user lists, the initial state and all messages', async () => {
    await member.subscribe('general', { principals: [other.userId] });
    const sent = await member.send('general', 'topic', 'with a gravatar');
    const queue = await other.register({ event_types: ['realm_user', 'message'] });
    const url = await set(member);
    const [event] = await queue.take(1);
    assert.match(url, new RegExp(`^/user_avatars/\\d+/${member.userId}-[\\da-f]{32}\\.png\\?version=2$`));
    assert.deepEqual(
      { ...event, id: 0 },
      {
        id: 0,
        type: 'realm_user',
        op: 'update',
        person: {
          user_id: member.userId,
          avatar_source: 'U',
          avatar_url: url,
          avatar_url_medium: medium(url),
          avatar_version: 2,
        },
      },
    );
    const { state } = await member.register();
    assert.deepEqual([state.avatar_source, state.avatar_url, state.avatar_url_medium], ['U', url, medium(url)]);
    assert.equal(state.realm_users.find((one: Json) => one.user_id === member.userId).avatar_url, url);
    const { user } = await other.ok('GET', `/users/${member.userId}`);
    assert.deepEqual([user.avatar_url, user.avatar_version], [url, 2]);
    assert.equal((await other.ok('GET', `/messages/${sent}`)).message.avatar_url, url);
    await member.send('general', 'topic', 'with a picture');
    const [next] = await queue.take(1);
    assert.equal(next.message.avatar_url, url);
  });

  // rules: pictures-1
  test('a picture is resized to two sizes, cacheable forever, under an address that cannot be guessed', async () => {
    const url = await set(member, await plainPicture(3000, 1000, 'red'));
    for (const [address, side] of [
      [url, 100],
      [medium(url), 500],
    ] as const) {
      const { status, headers, content } = await fetched(address);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'image/png');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('cache-control') ?? '', /immutable/);
      const { format, width, height } = await sharp(content).metadata();
      assert.deepEqual([format, width, height], ['png', side, side]);
    }
    const [, random] = /-([\da-f]{32})/.exec(url) ?? [];
    for (const wrong of [
      url.replace(`${random}`, '0'.repeat(32)),
      url.replace('.png', '.gif'),
      url.replace(`/${member.userId}-`, `/${other.userId}-`),
      url.replace(/\/user_avatars\/\d+/, '/user_avatars/999'),
      '/user_avatars/1/..%2f..%2fsecret',
    ]) {
      assert.equal((await fetched(wrong)).status, 404, wrong);
    }
  });

  // rules: pictures-1
  test('all image formats are accepted, and animations are reduced to one frame', async () => {
    const frames = await Promise.all(['red', 'green'].map((colour) => plainPicture(40, 40, colour)));
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const still = sharp(await plainPicture(40, 40));
    for (const file of [
      gif,
      await still.webp().toBuffer(),
      await still.jpeg().toBuffer(),
      await still.avif().toBuffer(),
    ]) {
      const { content } = await fetched(await set(member, file));
      assert.equal((await sharp(content, { animated: true }).metadata()).pages, undefined);
    }
  });

  // rules: pictures-1
  test('a new picture keeps its address except for the version, and a removed one is not found', async () => {
    const first = await set(member);
    const second = await set(member, await plainPicture(50, 50, 'blue'));
    assert.equal(first.split('?')[0], second.split('?')[0]);
    assert.notEqual(first, second);
    assert.deepEqual((await fetched(first)).content, (await fetched(second)).content);
    const { avatar_url } = await member.ok('DELETE', path);
    assert.match(avatar_url, /^https:\/\/secure\.gravatar\.com\/avatar\/[\da-f]{32}\?d=identicon&version=\d+$/);
    assert.equal((await fetched(second)).status, 404);
    assert.equal((await other.ok('GET', `/users/${member.userId}`)).user.avatar_url, null);
    assert.notEqual(
      (await set(member)).split('?')[0],
      first.split('?')[0],
      'a picture after removal has another address',
    );
  });

  // rules: pictures-1
  test('another process serves a new picture', async () => {
    const restarted = await startTestServer({ shared: server.shared });
    const url = await set(member);
    const response = await fetch(new URL(url, restarted.url));
    assert.equal(response.status, 200);
    await restarted.stop();
  });

  // rules: pictures-3
  test('another organization does not find the picture', async () => {
    const url = await set(member);
    const stranger = await server.organization('strangers');
    const { status } = await stranger.ask('GET', url);
    assert.equal(status, 404);
  });

  // rules: pictures-2
  test('avatar_changes_disabled refuses members but not administrators', async () => {
    const administrator = await server.user({ role: Role.administrator });
    await server.owner.ok('PATCH', '/realm', { avatar_changes_disabled: true });
    const { status, body } = await upload(server.url, member, { path, file: await plainPicture() });
    assert.deepEqual([status, body.msg], [400, 'Avatar changes are disabled in this organization.']);
    assert.equal((await member.fails('DELETE', path)).msg, 'Avatar changes are disabled in this organization.');
    await set(administrator);
    await server.owner.ok('PATCH', '/realm', { avatar_changes_disabled: false });
    await set(member);
  });
});

describe('hostile pictures', () => {
  // rules: pictures-3
  test('SVG, HTML, scripts and empty files are refused whatever their name and type', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
    for (const [content, name, type] of [
      [svg, 'x.svg', 'image/svg+xml'],
      [svg, 'x.png', 'image/png'],
      ['<html><script>alert(1)</script></html>', 'x.html', 'text/html'],
      ['GIF89a<script>alert(1)</script>', 'x.gif', 'image/gif'],
      ['', 'x.png', 'image/png'],
      ['%PDF-1.7', 'x.png', 'image/png'],
    ] as const) {
      assert.equal(await refusal(member, Buffer.from(content), name, type), '400 BAD_IMAGE', name);
    }
  });

  test('a request without a picture is refused', async () => {
    assert.equal((await member.fails('POST', '/users/me/avatar')).msg, 'You must upload exactly one avatar.');
  });

  // rules: pictures-3
  test('data appended to a picture and its metadata are removed', async () => {
    const script = Buffer.from('<script>alert(document.domain)</script>');
    const polyglot = Buffer.concat([await plainPicture(), script]);
    const { content } = await fetched(await set(member, polyglot));
    assert(!content.includes('alert'));
    const commented = await sharp(await plainPicture())
      .withExif({ IFD0: { ImageDescription: 'alert(1)', Copyright: 'where I live' } })
      .jpeg()
      .toBuffer();
    assert(!(await fetched(await set(member, commented))).content.includes('where I live'));
  });

  // rules: pictures-3
  test('a small file that claims very many pixels is refused', async () => {
    const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: 'black' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    assert(bomb.length < 1024 * 1024);
    assert.equal(await refusal(member, bomb), '400 BAD_IMAGE');
  });

  // rules: pictures-3
  test('the server does not read a body of 100 MB to its end', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent === 0)
          controller.enqueue(Buffer.from('--b\r\ncontent-disposition: form-data; name="f"; filename="x"\r\n\r\n'));
        sent += 1024 * 1024;
        if (sent > 100 * 1024 * 1024) controller.close();
        else controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${member.email}:${member.apiKey}`)}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
      body,
      duplex: 'half',
    } as RequestInit).then(
      (response) => response.status,
      () => 'closed',
    );
    assert(answer === 413 || answer === 'closed', `${answer}`);
    assert(sent < 100 * 1024 * 1024, 'the server closes the connection before the end');
  });

  // rules: pictures-3
  test('a file name with line breaks is accepted', async () => {
    const name = 'x.png"\r\nset-cookie: a=b\r\n';
    const { status } = await upload(server.url, member, { path, file: await plainPicture(), name });
    assert.equal(status, 200);
  });
});

describe('GET /avatar/{user}', () => {
  // rules: pictures-4
  test('redirects to the picture, by id or email address, in both sizes, with or without /api/v1', async () => {
    const url = await set(other);
    for (const prefix of ['', '/api/v1']) {
      for (const named of [other.userId, other.email]) {
        assert.equal(await lead(member, `${prefix}/avatar/${named}`), url);
        assert.equal(await lead(member, `${prefix}/avatar/${named}/medium`), medium(url));
      }
    }
    assert.match(await lead(member, `/avatar/${server.owner.userId}`), /^https:\/\/secure\.gravatar\.com\/avatar\//);
  });

  // rules: pictures-4
  test('redirects to a picture for unknown users too, so that it does not reveal who exists', async () => {
    for (const named of [
      '999999',
      'nobody@example.com',
      'https:%2F%2Fevil.example.com',
      '%0d%0aset-cookie:x',
      '...',
      '%00',
    ]) {
      const to = await lead(member, `/avatar/${named}`);
      if (to.startsWith('4')) continue;
      assert.match(to, /^https:\/\/secure\.gravatar\.com\/avatar\/[\da-f]{32}\?d=identicon&version=1$/, named);
    }
  });

  // rules: pictures-4
  test('a hidden email address redirects to the picture for users with access, and like an unknown address for others', async () => {
    const shy = await server.user({ name: 'Shy' });
    const address = shy.email;
    const own = await set(shy);
    const { administrators } = AddressVisibility;
    await shy.ok('PATCH', '/settings', { email_address_visibility: administrators });
    for (const size of ['', '/medium']) {
      const location = size === '' ? own : medium(own);
      assert.equal(await lead(member, `/avatar/user${shy.userId}@localhost${size}`), location);
      assert.equal(await lead(member, `/avatar/${shy.userId}${size}`), location);
      assert.equal(await lead(server.owner, `/avatar/${address}${size}`), location);
      assert.equal(await lead(shy, `/avatar/${address}${size}`), location);
      const stranger = await lead(member, `/avatar/${address}${size}`);
      const nobody = await lead(member, `/avatar/nobody@example.com${size}`);
      const hashOf = (email: string) => hash('md5', email);
      assert.equal(stranger, nobody.replace(hashOf('nobody@example.com'), hashOf(address)));
    }
  });

  // rules: pictures-4
  test('without credentials redirects only with spectator access, by id, without revealing the email address', async () => {
    const plain = server.owner;
    assert.equal(await lead(undefined, `/avatar/${plain.userId}`), '401');
    await plain.ok('PATCH', '/realm', { enable_spectator_access: true });
    await plain.ok('POST', '/channels/create', { name: 'shown', subscribers: [], is_web_public: true });
    const location = await lead(undefined, `/avatar/${plain.userId}`);
    assert.match(location, /^https:\/\/secure\.gravatar\.com\//);
    assert.notEqual(location, await lead(member, `/avatar/${plain.userId}`));
    assert.equal(await lead(undefined, `/avatar/${plain.email}`), '401');
    await plain.ok('PATCH', '/realm', { enable_spectator_access: false });
  });
});

// rules: pictures-5
test('with HEDDLE_GRAVATAR=off the server’s own patterns replace missing pictures', async () => {
  const own = await startTestServer({ shared: server.shared, environment: { HEDDLE_GRAVATAR: 'off' } });
  const client = await own.sameUser(member);
  await client.ok('DELETE', path);
  const { state } = await client.register({ fetch_event_types: ['realm_user', 'realm'], event_types: [] });
  for (const { avatar_url } of [...state.realm_users, ...state.cross_realm_bots]) {
    assert.match(avatar_url, /^\/(static\/patterns\/\d+\.png|user_avatars\/)/);
  }
  assert.doesNotMatch(JSON.stringify(state), /gravatar\.com/);
  for (const [url, side] of [
    [state.avatar_url, 100],
    [state.avatar_url_medium, 500],
  ]) {
    const response = await fetch(new URL(url, own.url));
    const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    assert.deepEqual([format, width, height], ['png', side, side]);
  }
  for (const wrong of ['256.png', '-1.png', '007.png', '7.svg', '7-large.png']) {
    assert.equal((await fetch(`${own.url}/static/patterns/${wrong}`)).status, 404, wrong);
  }
  const settings = await client.ok('GET', '/server_settings');
  assert.match(settings.realm_icon, /^http:\/\/[^/]+\/static\/patterns\/\d+\.png$/);
  await own.stop();
});
