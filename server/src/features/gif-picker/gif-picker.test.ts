import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { ApiError } from '@heddle/api/errors.ts';
import { Role } from '../../directory/records.ts';
import { createLogger } from '../../http/logging.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { open } from '../../testing/clients/user-files.ts';
import { madeExport } from '../../testing/server/exported.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';
import { TestGifService } from '../../testing/services/gif-service.ts';
import { type Asking, GifSearches } from './searching.ts';

let service: TestGifService;
let server: TestServer;
let owner: TestClient;
let member: TestClient;
let log = '';
before(async () => {
  service = await TestGifService.start();
  const write = (line: string) => {
    log += line;
  };
  server = await startTestServer({
    environment: { ...service.environment, HEDDLE_UPLOAD_QUOTA_MIB: '10' },
    log: createLogger('trace', { write }),
  });
  owner = server.owner;
  member = await server.user({ name: 'Mia' });
});
after(async () => {
  await server.stop();
  await service.stop();
});
beforeEach(() => {
  service.behaviour = undefined;
});

const KNOWING = { client_capabilities: { gif_picker: true } };
const choose = (name: 'giphy' | 'tenor', more: Json = {}, client = owner) =>
  client.ok('PATCH', '/realm/gif_picker', { service: name, api_key: service.key, ...more });
const titles = ({ gifs }: Json) => gifs.map(({ title }: Json) => title);
const refusal = async (client: TestClient, method: string, path: string, fields: Json = {}) => {
  const { status, body } = await client.call(method, path, fields);
  assert.equal(status, 400, JSON.stringify(body));
  return [body.code, body.reason ?? body.msg];
};

// rules: gifs-1
test('administrators choose a service with a key and a rating, which clients that know it learn without the key', async () => {
  const plain = await member.register({ event_types: ['realm'] });
  const knowing = await member.register({ event_types: ['realm'], ...KNOWING });
  assert.equal('realm_gif_picker' in plain.state, false);
  assert.equal(knowing.state.realm_gif_picker, null);
  const administrator = await server.user({ role: Role.administrator });
  await choose('giphy', {}, administrator);
  await owner.ok('PATCH', '/realm/gif_picker', { rating: 'pg-13' });
  await owner.ok('PATCH', '/realm/gif_picker', { api_key: service.key });
  await owner.ok('PATCH', '/realm/gif_picker', { service: 'none' });
  await owner.ok('PATCH', '/realm/gif_picker', { service: 'none' });
  const events = await knowing.now();
  assert.deepEqual(
    events.map(({ type, op, property, value }: Json) => [type, op, property, value]),
    [{ service: 'giphy', rating: 'g' }, { service: 'giphy', rating: 'pg-13' }, null].map((value) => [
      'realm',
      'update',
      'gif_picker',
      value,
    ]),
  );
  assert.deepEqual(await plain.now(), []);
  // Clients of the interface see no service that their browsers could ask.
  const { state } = await member.register();
  assert.deepEqual([state.giphy_api_key, state.realm_giphy_rating], ['', 0]);
});

// rules: gifs-2
test('a service without a key, a rating without a service, and members are refused', async () => {
  assert.deepEqual(await refusal(member, 'PATCH', '/realm/gif_picker', { service: 'none' }), [
    ...['UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'],
  ]);
  const needsKey = ['BAD_REQUEST', 'This service of GIFs needs the key of your organization.'];
  assert.deepEqual(await refusal(owner, 'PATCH', '/realm/gif_picker', { service: 'giphy' }), needsKey);
  assert.deepEqual(await refusal(owner, 'PATCH', '/realm/gif_picker', { service: 'giphy', api_key: '  ' }), needsKey);
  assert.deepEqual(await refusal(owner, 'PATCH', '/realm/gif_picker', { rating: 'g' }), [
    ...['BAD_REQUEST', 'Choose a service of GIFs first.'],
  ]);
  await choose('giphy');
  assert.deepEqual(await refusal(owner, 'PATCH', '/realm/gif_picker', { service: 'tenor' }), needsKey);
  for (const wrong of [{ service: 'other' }, { rating: 'x' }, { api_key: 'k'.repeat(201) }]) {
    assert.equal((await owner.call('PATCH', '/realm/gif_picker', wrong)).status, 400, JSON.stringify(wrong));
  }
});

// rules: gifs-3
test('a search asks the service in the language and the rating, and gives pages of its GIFs', async () => {
  await member.ok('PATCH', '/settings', { default_language: 'de' });
  for (const [name, rating, expected] of [
    ['giphy', 'pg-13', { path: '/v1/gifs/search', rating: 'pg-13', lang: 'de', limit: '24' }],
    ['tenor', 'pg-13', { path: '/v2/search', contentfilter: 'low', locale: 'de', limit: '24' }],
  ] as const) {
    await choose(name, { rating });
    const first = await member.ok('GET', '/gifs', { query: ' cats ' });
    const { pathname, searchParams } = service.searches.at(-1) ?? assert.fail('no search');
    const { path, ...fields } = expected;
    assert.equal(pathname, path);
    assert.equal(searchParams.get('q'), 'cats');
    for (const [field, value] of Object.entries(fields)) assert.equal(searchParams.get(field), value, field);
    assert.deepEqual(titles(first).slice(0, 2), name === 'giphy' ? ['cats 0 GIF', 'cats 1 GIF'] : ['cats 0', 'cats 1']);
    const second = await member.ok('GET', '/gifs', { query: 'cats', position: first.next });
    const third = await member.ok('GET', '/gifs', { query: 'cats', position: second.next });
    assert.deepEqual(
      [first, second, third].map(({ gifs }) => gifs.length),
      [24, 24, 12],
    );
    assert.equal(third.next, null);
    assert.equal(new Set([first, second, third].flatMap(titles)).size, 60);
    const popular = await member.ok('GET', '/gifs');
    assert.match(titles(popular)[0], /^popular 0/);
  }
  await member.ok('PATCH', '/settings', { default_language: 'en' });
});

// rules: gifs-3
test('a position is of use for its own search only, and an invented one asks the service nothing', async () => {
  const outsider = await server.organization('positions');
  const reader = await server.user({ name: 'Rea' });
  for (const client of [owner, outsider]) await choose('tenor', { rating: 'g' }, client);
  const positions: string[] = [];
  for (const [client, query] of [
    [reader, 'positions'],
    [reader, 'others'],
    [reader, ''],
    [outsider, 'positions'],
  ] as const) {
    const { next } = await client.ok('GET', '/gifs', { query });
    assert.match(next, /^[\w-]+\.[\w-]+$/);
    positions.push(next);
  }
  const [own = '', ...others] = positions;
  const before = service.searches.length;
  const [text, signature] = own.split('.');
  const invented = Buffer.from('x').toString('base64url');
  for (const position of [...others, '24', 'x', String(text), `${invented}.${signature}`, '.']) {
    assert.deepEqual(await refusal(reader, 'GET', '/gifs', { query: 'positions', position }), [
      ...['BAD_REQUEST', 'This is no position of this search.'],
    ]);
  }
  await choose('giphy', { rating: 'g' });
  assert.equal((await refusal(reader, 'GET', '/gifs', { query: 'positions', position: own }))[0], 'BAD_REQUEST');
  assert.equal(service.searches.length, before);
  await choose('tenor', { rating: 'g' });
  assert.equal(titles(await reader.ok('GET', '/gifs', { query: ' positions ', position: own }))[0], 'positions 24');
});

// rules: gifs-4
test('pictures of results come from this server, moving and still', async () => {
  await choose('tenor');
  const { gifs } = await member.ok('GET', '/gifs', { query: 'looms' });
  const [{ preview_url, still_url, width, height }] = gifs;
  assert.deepEqual([width, height], [220, 160]);
  for (const [path, asked] of [
    [preview_url, '/pictures/0/small.gif'],
    [still_url, '/pictures/0/still.gif'],
  ]) {
    assert.match(path, /^\/external_content\//);
    const response = await fetch(`${server.url}${path}`);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/gif']);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), service.picture);
    assert.equal(service.pictures.at(-1), asked);
  }
});

// rules: gifs-4
test('slow pictures of results delay no pictures of messages', async () => {
  await choose('giphy');
  const { gifs } = await owner.ok('GET', '/gifs', { query: 'slow pictures' });
  const message = await owner.direct([member.userId], `${service.url}/pictures/0/shown.gif`);
  const { content } = (await member.ok('GET', `/messages/${message}`)).message;
  const [, shown = ''] = /<img src="([^"]*)">/.exec(content) ?? [];
  const held: (() => void)[] = [];
  service.pictureBehaviour = (path, send) => {
    if (path.endsWith('/small.gif')) held.push(send);
    else send();
  };
  const slow = gifs.slice(1, 8).map((found: Json) => fetch(`${server.url}${found.preview_url}`));
  await until(() => held.length === 5, 'five fetches of the organization');
  assert.equal((await fetch(`${server.url}${shown}`)).status, 200);
  assert.equal(held.length, 5);
  service.pictureBehaviour = undefined;
  for (const send of held) send();
  for (const { status } of await Promise.all<Response>(slow)) assert.equal(status, 200);
});

// rules: gifs-5
test('a chosen GIF is a file of the user, which outlives the service, in a size that the server fetches', async () => {
  await choose('giphy');
  const { gifs } = await member.ok('GET', '/gifs', { query: 'a/b' });
  const { url, filename } = await member.ok('POST', '/gifs', { gif: gifs[3].gif });
  assert.equal(service.pictures.at(-1), '/pictures/3/downsized.gif');
  assert.equal(filename, 'a b 3 GIF.gif');
  await owner.ok('PATCH', '/realm/gif_picker', { service: 'none' });
  const message = await member.direct([owner.userId], `[${filename}](${url})`);
  const { content } = (await owner.ok('GET', `/messages/${message}`)).message;
  assert.match(content, /<div class="message_inline_image">/);
  const response = await open(server.url, owner, url);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), service.picture);
  const { attachments } = await member.ok('GET', '/attachments');
  assert.deepEqual(
    attachments.map(({ name, size }: Json) => [name, size]),
    [[filename, service.picture.length]],
  );
});

// rules: gifs-5
test('a choice respects the storage limit, and names only what a search of the organization has found', async () => {
  await choose('giphy');
  const { gifs } = await member.ok('GET', '/gifs', { query: 'looms' });
  const [{ gif }] = gifs;
  const outsider = await server.organization('elsewhere');
  await outsider.ok('PATCH', '/realm/gif_picker', { service: 'giphy', api_key: service.key });
  const [text, signature] = gif.split('.');
  const other = Buffer.from(JSON.stringify([`${service.url}/pictures/0/x.gif`, ''])).toString('base64url');
  for (const [client, given] of [
    [outsider, gif],
    [member, text],
    [member, `${other}.${signature}`],
    [member, '.'],
  ] as const) {
    assert.deepEqual(await refusal(client, 'POST', '/gifs', { gif: given }), [
      ...['BAD_REQUEST', 'This is no GIF of a search.'],
    ]);
  }
  const usual = service.picture;
  service.picture = Buffer.concat([usual, Buffer.alloc(4 * 1024 * 1024)]);
  for (const one of [4, 5]) await member.ok('POST', '/gifs', { gif: gifs[one].gif });
  assert.equal((await refusal(member, 'POST', '/gifs', { gif: gifs[6].gif }))[0], 'REALM_UPLOAD_QUOTA');
  // The server fetches no larger picture, whatever the service has declared.
  service.picture = Buffer.concat([usual, Buffer.alloc(6 * 1024 * 1024)]);
  assert.deepEqual(await refusal(member, 'POST', '/gifs', { gif: gifs[8].gif }), ['GIF_SERVICE_FAILED', 'unreachable']);
  service.picture = usual;
});

// rules: gifs-6
test('equal searches cause one request, and other organizations ask for themselves', async () => {
  await choose('giphy');
  const before = service.searches.length;
  const all = await Promise.all([1, 2].map(() => member.ok('GET', '/gifs', { query: 'once' })));
  assert.deepEqual(titles(all[0]), titles(all[1]));
  await owner.ok('GET', '/gifs', { query: 'once' });
  assert.equal(service.searches.length - before, 1);
  const neighbour = await server.organization('neighbour');
  assert.deepEqual(await refusal(neighbour, 'GET', '/gifs', { query: 'once' }), [
    ...['BAD_REQUEST', 'This organization has no service of GIFs.'],
  ]);
  await neighbour.ok('PATCH', '/realm/gif_picker', { service: 'giphy', api_key: service.key });
  await neighbour.ok('GET', '/gifs', { query: 'once' });
  assert.equal(service.searches.length - before, 2);
});

// rules: gifs-7
test('a failing service is named as such, is not asked again at once, and is asked with a new key', async () => {
  const cases: readonly (readonly [string, TestGifService['behaviour']])[] = [
    ['unreachable', (_, response) => response.writeHead(500).end()],
    ['unreachable', (request) => void request.destroy()],
    ['unreachable', (_, response) => response.end('<html>')],
    ['unreachable', (_, response) => response.end('{"data": 5}')],
    ['unreachable', (_, response) => response.writeHead(302, { location: `${service.url}/elsewhere` }).end()],
    ['unreachable', (_, response) => response.end(`{"data": [], "more": "${'x'.repeat(1024 * 1024)}"}`)],
    ['refused', (_, response) => response.writeHead(403).end('{}')],
    ['limited', (_, response) => response.writeHead(429).end('{}')],
  ];
  for (const [index, [reason, behaviour]] of cases.entries()) {
    // Each key is a new attempt.
    await choose('giphy', { api_key: `${service.key} ${index}` });
    service.behaviour = behaviour;
    const before = service.searches.length;
    for (const query of ['one', 'two']) {
      assert.deepEqual(await refusal(member, 'GET', '/gifs', { query }), ['GIF_SERVICE_FAILED', reason], String(index));
    }
    assert.equal(service.searches.length - before, 1, String(index));
  }
  service.behaviour = undefined;
  await choose('tenor', { api_key: `${service.key} 7` });
  assert.deepEqual(await refusal(member, 'GET', '/gifs', { query: 'one' }), ['GIF_SERVICE_FAILED', 'refused']);
  await choose('giphy');
  assert.equal((await member.ok('GET', '/gifs', { query: 'one' })).gifs.length, 24);
});

// rules: gifs-7
test('a page that fails because of its position changes nothing for other searches', async () => {
  const reader = await server.user({ name: 'Rex' });
  for (const [name, status, reason, isForAll] of [
    ['tenor', 400, 'unreachable', false],
    ['giphy', 414, 'unreachable', false],
    ['giphy', 401, 'refused', true],
    ['tenor', 429, 'limited', true],
    ['tenor', 503, 'unreachable', true],
  ] as const) {
    const label = `${name} ${status}`;
    await choose(name, { api_key: `${service.key} ${label}` });
    service.behaviour = (_, response) =>
      response.end(JSON.stringify({ data: [{}], results: [], next: 'later', pagination: { total_count: 60 } }));
    const { next: position } = await reader.ok('GET', '/gifs', { query: label });
    service.behaviour = (_, response) => response.writeHead(status).end('{}');
    const failed = ['GIF_SERVICE_FAILED', reason];
    assert.deepEqual(await refusal(reader, 'GET', '/gifs', { query: label, position }), failed, label);
    service.behaviour = (_, response) => response.end('{"data": [], "results": []}');
    if (isForAll) assert.deepEqual(await refusal(owner, 'GET', '/gifs', { query: 'other' }), failed, label);
    else await owner.ok('GET', '/gifs', { query: 'other' });
  }
});

// rules: gifs-7
test('GIFs without usable pictures are left out', async () => {
  await choose('giphy', { rating: 'r' });
  const images = (url: unknown) => ({ downsized: { url, width: 'x', size: '5' }, fixed_height: { url } });
  service.behaviour = (_, response) =>
    response.end(
      JSON.stringify({
        data: [
          null,
          5,
          {},
          { images: images('javascript:1') },
          { images: images(7) },
          { images: images(`https://e.com/${'a'.repeat(3000)}`) },
          { title: 5, images: images('https://e.com/a.gif') },
        ],
      }),
    );
  const { gifs, next } = await member.ok('GET', '/gifs', { query: 'odd' });
  assert.deepEqual(
    gifs.map(({ title, width, still_url }: Json) => [title, width, still_url]),
    [['', 120, null]],
  );
  // The next page begins behind all seven.
  await member.ok('GET', '/gifs', { query: 'odd', position: next });
  assert.equal(service.searches.at(-1)?.searchParams.get('offset'), '7');
});

// rules: gifs-8
test('slow searches of an account delay neither its messages and choices, nor other accounts and organizations', async () => {
  await choose('giphy', { rating: 'pg' });
  const { gifs } = await owner.ok('GET', '/gifs', { query: 'before' });
  const waiting: (() => void)[] = [];
  service.behaviour = (_, response) => void waiting.push(() => response.end('{"data": []}'));
  const slow = [1, 2, 3, 4].map((number) => member.call('GET', '/gifs', { query: `slow ${number}` }));
  await until(() => waiting.length === 1, 'a search');
  slow.push(owner.call('GET', '/gifs', { query: 'slow 5' }));
  await until(() => waiting.length === 2, 'a search of each account');
  assert.equal(service.searches.at(-1)?.searchParams.get('q'), 'slow 5');
  await member.direct([owner.userId], 'meanwhile');
  await member.ok('POST', '/gifs', { gif: gifs[0].gif });
  service.behaviour = undefined;
  const elsewhere = await server.organization('third');
  await elsewhere.ok('PATCH', '/realm/gif_picker', { service: 'giphy', api_key: service.key });
  assert.equal((await elsewhere.ok('GET', '/gifs', { query: 'fast' })).gifs.length, 24);
  assert.equal(waiting.length, 2, 'the others of the account wait');
  for (const end of waiting) end();
  for (const { status } of await Promise.all(slow)) assert.equal(status, 200);
});

// rules: gifs-8
test('an account asks the service at most 30 times in a minute, and cached pages do not count', async () => {
  await choose('tenor', { rating: 'r' });
  const busy = await server.user({ name: 'Busy' });
  for (let number = 0; number < 30; number += 1) await busy.ok('GET', '/gifs', { query: `busy ${number}` });
  assert.deepEqual(await refusal(busy, 'GET', '/gifs', { query: 'one more' }), ['GIF_SERVICE_FAILED', 'limited']);
  await busy.ok('GET', '/gifs', { query: 'busy 3' });
  // A bot counts as its owner.
  const made = await busy.ok('POST', '/bots', { full_name: 'Finder', short_name: 'finder' });
  const { user } = await owner.ok('GET', `/users/${made.user_id}`);
  const bot = await server.sameUser({ email: user.email } as TestClient);
  assert.deepEqual(await refusal(bot, 'GET', '/gifs', { query: 'one more' }), ['GIF_SERVICE_FAILED', 'limited']);
  await member.ok('GET', '/gifs', { query: 'one more' });
});

/** The searches of a process of its own, at a time that the test sets. */
function searchesAt(clock: { now: number }) {
  const searches = new GifSearches(server.app, () => clock.now);
  const { key } = service;
  return (query: string, more: Partial<Asking> = {}) => {
    const search = { query, position: undefined, rating: 'g', language: 'en' } as const;
    return searches.find({ organizationId: 1, accountId: 1, service: 'giphy', key, search, ...more });
  };
}
const isLimited = (error: unknown) => error instanceof ApiError && error.extra.reason === 'limited';
const HOUR_MS = 3_600_000;

// rules: gifs-8
test('an account asks the service at most 40 times in an hour, and others of its organization still find GIFs', async () => {
  const clock = { now: 0 };
  const find = searchesAt(clock);
  for (let number = 0; number < 40; number += 1) {
    await find(`hourly ${number}`);
    clock.now += 10_000;
  }
  await assert.rejects(find('one more'), isLimited);
  await find('one more', { accountId: 2 });
  await find('elsewhere', { organizationId: 2 });
  clock.now = HOUR_MS;
  await find('in the next hour');
});

// rules: gifs-7
test('a service that allows no more requests rests for five minutes, or for as long as it says, up to an hour', async () => {
  for (const [retryAfter, seconds] of [
    [undefined, 300],
    ['30', 300],
    ['1200', 1200],
    ['86400', 3600],
  ] as const) {
    const clock = { now: 0 };
    const find = searchesAt(clock);
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    service.behaviour = (_, response) => response.writeHead(429, headers).end('{}');
    await assert.rejects(find('many'), isLimited);
    service.behaviour = undefined;
    clock.now = seconds * 1000 - 1;
    await assert.rejects(find('early', { accountId: 2 }), isLimited, `${retryAfter}`);
    clock.now = seconds * 1000;
    await find('early', { accountId: 2 });
  }
});

// rules: gifs-6
test('an organization has 60 pages in memory, so it takes a part of the memory for all', async () => {
  const find = searchesAt({ now: 0 });
  await find('kept', { organizationId: 2 });
  for (let number = 0; number <= 60; number += 1) await find(`page ${number}`, { accountId: number });
  const before = service.searches.length;
  for (const query of ['page 60', 'page 1']) await find(query);
  await find('kept', { organizationId: 2 });
  assert.equal(service.searches.length, before);
  await find('page 0');
  assert.equal(service.searches.length, before + 1);
});

// rules: gifs-9
test('no response, event, export, log line or column contains the key', async () => {
  const queue = await owner.register(KNOWING);
  await choose('giphy', { rating: 'pg' });
  const found = await owner.ok('GET', '/gifs', { query: 'looms' });
  service.behaviour = (request) => void request.destroy();
  await refusal(owner, 'GET', '/gifs', { query: 'secret' });
  await owner.ok('PATCH', '/settings', { allow_private_data_export: true });
  const { text } = await madeExport(server, owner, 2);
  const rows = await server.app.db.selectFrom('gif_pickers').selectAll().execute();
  const events = await server.app.db.selectFrom('events').selectAll().execute();
  const stored = [...rows.map(({ sealed_key }) => sealed_key.toString('latin1')), JSON.stringify(events)];
  for (const shown of [JSON.stringify([queue.state, await queue.now(), found]), text, log, ...stored]) {
    assert.equal(shown.includes(service.key), false);
  }
  assert.match(log, /a service of GIFs fails/);
});

test('an operator who disables pictures of other servers or uploads disables GIFs', async () => {
  await choose('giphy');
  for (const [setting, disabled] of [
    [{ HEDDLE_IMAGE_PREVIEWS: 'off' }, /The operator .* disabled pictures of other servers/],
    [{ HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB: '0' }, /The operator .* disabled uploads/],
  ] as const) {
    const environment = { ...service.environment, ...setting };
    const strict = await startTestServer({ shared: server.shared, environment });
    const mia = await strict.sameUser(member);
    assert.equal((await mia.register(KNOWING)).state.realm_gif_picker, null);
    assert.equal((await refusal(mia, 'GET', '/gifs'))[1], 'This organization has no service of GIFs.');
    const boss = await strict.sameUser(owner);
    assert.match((await refusal(boss, 'PATCH', '/realm/gif_picker', { rating: 'r' }))[1], disabled);
    await strict.stop();
  }
});
