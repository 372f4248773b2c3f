import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let channelId: number;
before(async () => {
  server = await startTestServer();
  owner = server.owner;
  member = await server.user();
  channelId = await server.emptyChannel(owner, 'issues', { principals: [member.userId] });
});
after(() => server.stop());

const KNOWS = { client_capabilities: { linkifier_url_template: true } };

async function list(): Promise<Json[]> {
  return (await member.ok('GET', '/realm/linkifiers')).linkifiers;
}

async function clear(): Promise<void> {
  for (const { id } of await list()) await owner.ok('DELETE', `/realm/filters/${id}`);
}

async function add(pattern: string, url_template: string): Promise<number> {
  return (await owner.ok('POST', '/realm/filters', { pattern, url_template })).id;
}

async function rendered(content: string, more: Fields = {}): Promise<string> {
  const id = await member.send(channelId, 'topic', content, more);
  return (await member.ok('GET', `/messages/${id}`)).message.content;
}

async function linksOf(topic: string): Promise<Json[]> {
  const queue = await member.register({ event_types: ['message'] });
  const id = await member.send(channelId, topic, 'hello');
  const [event] = await queue.take(1);
  const { message } = await member.ok('GET', `/messages/${id}`);
  assert.deepEqual(
    event.message.topic_links,
    message.topic_links,
    'topic_links of the event equal those of the fetched message',
  );
  return message.topic_links;
}

// rules: other-7
test('a linkifier turns each match of its pattern into a link by its URL template', async () => {
  await clear();
  await add('#(?P<id>[0-9]+)', 'https://example.com/issues/{id}');
  await add('(?P<org>[a-z]+)/(?P<repo>[a-z]+)#(?P<number>[0-9]+)', 'https://example.org/{org}/{repo}/{number}');
  assert.equal(
    await rendered('see #123, (#4) and shuttle/warp#56.'),
    '<p>see <a href="https://example.com/issues/123">#123</a>, (<a href="https://example.com/issues/4">#4</a>) and ' +
      '<a href="https://example.org/shuttle/warp/56">shuttle/warp#56</a>.</p>',
  );
});

test('linkifiers match nothing within words, code, links and URLs', async () => {
  await clear();
  await add('#(?P<id>[0-9]+)', 'https://example.com/{id}');
  for (const content of ['a#12', '#12a', '`#12`', '```\n#12\n```']) {
    assert(!(await rendered(content)).includes('https://example.com/'), content);
  }
  assert.equal(await rendered('[#12](https://a.example)'), '<p><a href="https://a.example">#12</a></p>');
  assert.equal(
    await rendered('https://a.example/#12 #12'),
    '<p><a href="https://a.example/#12">https://a.example/#12</a> <a href="https://example.com/12">#12</a></p>',
  );
});

// rules: other-7
test('if two linkifiers match, the first in the administrators’ order wins', async () => {
  await clear();
  const any = await add('[A-Z]+-(?P<id>[0-9]+)', 'https://any.example/{id}');
  const one = await add('LOOM-(?P<id>[0-9]+)', 'https://loom.example/{id}');
  assert.equal(await rendered('LOOM-1'), '<p><a href="https://any.example/1">LOOM-1</a></p>');
  const queue = await member.register({ event_types: ['realm_linkifiers'], ...KNOWS });
  await owner.ok('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [one, any] });
  const [event] = await queue.take(1);
  assert.deepEqual(
    event.realm_linkifiers.map(({ id }: Json) => id),
    [one, any],
  );
  assert.equal(await rendered('LOOM-1'), '<p><a href="https://loom.example/1">LOOM-1</a></p>');
  const duplicated = await owner.fails('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [one, one] });
  assert.equal(duplicated.msg, 'The ordered list must not contain duplicated linkifiers');
  for (const ids of [[one], [one, any, 999], []]) {
    const { msg } = await owner.fails('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids });
    assert.equal(msg, 'The ordered list must enumerate all existing linkifiers exactly once');
  }
});

// rules: other-7
test('URL templates follow RFC 6570, with operators and modifiers', async () => {
  await clear();
  await add(
    'FOO_(?P<id>[a-f]{5});(?P<zone>[a-f]);(?P<domain>[a-z]+);(?P<location>[a-z]+);(?P<name>[a-z]{2,8});(?P<chapter>[0-9]{2,3});(?P<fragment>[a-z]{2,8})',
    'https://zone_{zone}{.domain}.net/ticket{/location}{/id}{?name,chapter}{#fragment:5}',
  );
  assert.equal(
    await rendered('FOO_abcde;e;zulip;luxembourg;foo;23;testing'),
    '<p><a href="https://zone_e.zulip.net/ticket/luxembourg/abcde?name=foo&amp;chapter=23#testi">' +
      'FOO_abcde;e;zulip;luxembourg;foo;23;testing</a></p>',
  );
  await add('find (?P<words>.+)!', 'https://search.example/?q={words}');
  assert.match(await rendered('find a&b c!'), /href="https:\/\/search\.example\/\?q=a%26b%20c"/);
});

// rules: message-fields-5
test('topic_links contain the linkifier and URL matches of the topic, in messages and events', async () => {
  await clear();
  await add('#(?P<id>[0-9]+)', 'https://example.com/{id}');
  assert.deepEqual(await linksOf('release #12 and #7'), [
    { text: '#12', url: 'https://example.com/12' },
    { text: '#7', url: 'https://example.com/7' },
  ]);
  assert.deepEqual(await linksOf('https://a.example/x and b.example.org #3'), [
    { text: 'https://a.example/x', url: 'https://a.example/x' },
    { text: 'b.example.org', url: 'https://b.example.org' },
    { text: '#3', url: 'https://example.com/3' },
  ]);
  assert.deepEqual(await linksOf('nothing here'), []);
  const direct = await member.direct([owner.userId], '#12');
  assert.deepEqual((await member.ok('GET', `/messages/${direct}`)).message.topic_links, []);
});

// rules: message-fields-5
test('a moved message has the topic_links of its new topic', async () => {
  await clear();
  await add('#(?P<id>[0-9]+)', 'https://example.com/{id}');
  const id = await member.send(channelId, 'plain', 'x');
  const queue = await member.register({ event_types: ['update_message'] });
  await owner.ok('PATCH', `/messages/${id}`, { topic: 'about #8', send_notification_to_new_thread: false });
  const [event] = await queue.take(1);
  assert.deepEqual(event.topic_links, [{ text: '#8', url: 'https://example.com/8' }]);
});

// rules: register-20
test('linkifiers are added at the end, edited in place and removed, with events for clients that support URL templates', async () => {
  await clear();
  const queue = await member.register({ event_types: ['realm_linkifiers'], ...KNOWS });
  const older = await member.register({ event_types: ['realm_linkifiers', 'message'] });
  const first = await add(' a(?P<id>\\d+) ', ' https://a.example/{id} ');
  const second = await add('b(?P<id>\\d+)', 'https://b.example/{id}');
  const expected = [
    { id: first, pattern: 'a(?P<id>\\d+)', url_template: 'https://a.example/{id}' },
    { id: second, pattern: 'b(?P<id>\\d+)', url_template: 'https://b.example/{id}' },
  ];
  assert.deepEqual(await list(), expected);
  const changed = { pattern: 'aa(?P<nr>\\d+)', url_template: 'https://aa.example/{nr}' };
  await owner.ok('PATCH', `/realm/filters/${first}`, changed);
  await owner.ok('DELETE', `/realm/filters/${second}`);
  const events = await queue.take(4);
  assert.deepEqual(
    events.map(({ realm_linkifiers }: Json) => realm_linkifiers.length),
    [1, 2, 2, 1],
  );
  assert.deepEqual(events[1].realm_linkifiers, expected);
  assert.deepEqual(events[3].realm_linkifiers, [{ id: first, ...changed }]);
  await member.direct([member.userId], 'the only one');
  assert.deepEqual(
    (await older.take(1)).map(({ type }: Json) => type),
    ['message'],
  );
  // Ids are never reused.
  assert((await add('c(?P<id>\\d+)', 'https://c.example/{id}')) > second);
  for (const call of ['PATCH', 'DELETE']) {
    assert.equal((await owner.fails(call, `/realm/filters/${second}`, changed)).msg, 'Linkifier not found.');
  }
});

// rules: register-20
test('the initial state contains linkifiers for clients that support URL templates, and realm_filters is empty', async () => {
  await clear();
  const id = await add('#(?P<id>[0-9]+)', 'https://example.com/{id}');
  const types = { fetch_event_types: ['realm_linkifiers', 'realm_filters'] };
  const expected = [{ id, pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }];
  const { state } = await member.register({ ...types, ...KNOWS });
  assert.deepEqual([state.realm_linkifiers, state.realm_filters], [expected, []]);
  assert.deepEqual((await member.register(types)).state.realm_linkifiers, []);
  await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
  await owner.subscribe('shown', { is_web_public: true });
  assert.deepEqual((await server.spectator.ok('POST', '/register', { ...types, ...KNOWS })).realm_linkifiers, expected);
  await owner.ok('PATCH', '/realm', { enable_spectator_access: false });
});

test('only administrators change linkifiers', async () => {
  const texts = { pattern: 'x(?P<id>\\d+)', url_template: 'https://x.example/{id}' };
  const moderator = await server.user({ role: Role.moderator });
  for (const [method, path, fields] of [
    ['POST', '/realm/filters', texts],
    ['PATCH', '/realm/filters/1', texts],
    ['DELETE', '/realm/filters/1', {}],
    ['PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [] }],
  ] as const) {
    const body = await moderator.fails(method, path, fields);
    assert.deepEqual([body.code, body.msg], ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']);
  }
});

// rules: other-8
test('an invalid pattern or URL template is refused, with the error by field', async () => {
  await clear();
  await add('TAKEN-(?P<id>\\d+)', 'https://example.com/{id}');
  for (const [pattern, url_template, field, problem] of [
    ['', 'https://example.com/{id}', 'pattern', 'This field cannot be blank.'],
    ['x', '', 'url_template', 'This field cannot be blank.'],
    ['(foo', 'https://example.com/', 'pattern', 'Bad regular expression: missing closing ): `(foo`'],
    ['ZUL-(?P<id>\\d????)', 'https://example.com/{id}', 'pattern', undefined],
    ['(?=x)y', 'https://example.com/', 'pattern', undefined],
    ['x(?P<id>\\d+)', 'https://example.com/{id', 'url_template', 'Invalid URL template.'],
    ['x(?P<id>\\d+)', 'https://example.com/{//id}', 'url_template', 'Invalid URL template.'],
    ['x(?P<id>\\d+)', 'https://example.com/{{id}}', 'url_template', 'Invalid URL template.'],
    [
      'x(?P<id>\\d+)',
      'https://example.com/',
      '__all__',
      "Group 'id' in linkifier pattern is not present in URL template.",
    ],
    ['x(?P<id>\\d+)', 'javascript:x', '__all__', "Group 'id' in linkifier pattern is not present in URL template."],
    [
      'x(?P<id>\\d+)',
      'https://example.com/{hello}',
      '__all__',
      "Group 'hello' in URL template is not present in linkifier pattern.",
    ],
    [
      'TAKEN-(?P<id>\\d+)',
      'https://example.org/{id}',
      '__all__',
      'Realm filter with this Realm and Pattern already exists.',
    ],
  ] as const) {
    const body = await owner.fails('POST', '/realm/filters', { pattern, url_template });
    assert.deepEqual([body.code, Object.keys(body.errors)], ['BAD_REQUEST', [field]], pattern);
    if (problem !== undefined) assert.deepEqual([body.msg, body.errors[field]], [problem, [problem]]);
  }
  const [{ id }] = await list();
  await owner.ok('PATCH', `/realm/filters/${id}`, {
    pattern: 'TAKEN-(?P<id>\\d+)',
    url_template: 'https://b.example/{id}',
  });
});

// rules: other-8
test('hostile: a URL template never produces a link that runs code', async () => {
  await clear();
  for (const url_template of [
    'javascript:alert({id})',
    'data:text/html,{id}',
    'vbscript:{id}',
    '//evil.example/{id}',
  ]) {
    const { msg } = await owner.fails('POST', '/realm/filters', { pattern: 'x(?P<id>.+)y', url_template });
    assert.equal(msg, 'Invalid URL template.');
  }
  await add('run (?P<what>.+) now', '{+what}');
  for (const what of ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', '//evil.example', 'data:text/html,x']) {
    assert(!(await rendered(`run ${what} now`)).includes('<a '), what);
    assert.deepEqual(await linksOf(`run ${what.slice(0, 30)} now`), []);
  }
  await add('quote (?P<q>.+) end', 'https://example.com/{+q}');
  const html = await rendered('quote "><img src=x onerror=alert(1)> end');
  assert(!html.includes('<img'), html);
});

// rules: other-8
test('hostile: patterns with exponential backtracking take no time, and empty matches make no links', async () => {
  await clear();
  for (const pattern of [
    '(a+)+b',
    '(?:a|aa|aaa)*c',
    '(?:.*)*x{0,200}y',
    '(?:[a-z ]{1,100}){1,9}y',
    '.*.*.*.*=.*',
    'x*',
    '()',
  ]) {
    await add(pattern, 'https://example.com/');
  }
  const html = await rendered('a'.repeat(9990), { topic: 'a'.repeat(60) });
  assert.equal(html, `<p>${'a'.repeat(9990)}</p>`);
  assert.equal(await rendered('one two three'), '<p>one two three</p>');
});

// rules: other-8
test('hostile: patterns that are too large and too many linkifiers are refused', async () => {
  await clear();
  const refused = async (pattern: string, url_template = 'https://example.com/') => {
    const { errors } = await owner.fails('POST', '/realm/filters', { pattern, url_template });
    assert.equal(typeof Object.values(errors)[0], 'object');
  };
  await refused('(?:[a-z]{1,100}){1,9}(?:[a-z]{1,100}){1,9}(?:[a-z]{1,100}){1,9}');
  await refused('((a{100}){100}){100}');
  await refused('x'.repeat(1001));
  await refused('x', `https://example.com/${'x'.repeat(2000)}`);
  for (let index = 0; index < 100; index++) await add(`many${index}-(?P<id>\\d+)`, 'https://example.com/{id}');
  const body = await owner.fails('POST', '/realm/filters', {
    pattern: 'one more',
    url_template: 'https://example.com/',
  });
  assert.equal(body.msg, 'Too many linkifiers (limit: 100)');
  assert.equal(await rendered('many99-5'), '<p><a href="https://example.com/5">many99-5</a></p>');
  await clear();
});
