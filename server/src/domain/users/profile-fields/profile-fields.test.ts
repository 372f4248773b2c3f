import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  DEFAULT_EXTERNAL_ACCOUNTS,
  MAX_PROFILE_FIELDS,
  PROFILE_FIELD_TYPES,
} from '@heddle/api/objects/profile-field.ts';
import { Role } from '../../../directory/records.ts';
import type { Fields, TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { until } from '../../../testing/server/until.ts';

let server: TestServer;
let administrator: TestClient;
let member: TestClient;
before(async () => {
  server = await startTestServer();
  administrator = await server.user({ role: Role.administrator });
  member = await server.user();
});
after(() => server.stop());

const { SHORT_TEXT, LONG_TEXT, SELECT, DATE, URL: LINK, USER, EXTERNAL_ACCOUNT, PRONOUNS } = PROFILE_FIELD_TYPES;
const OPTIONS = { '0': { text: 'Linen', order: '1' }, '1': { text: 'Wool', order: '2' } };

let made = 0;

/** Creates a field and returns its id. */
async function field(type: { readonly id: number }, more: Fields = {}): Promise<number> {
  made += 1;
  const fields = { name: `Field ${made}`, field_type: type.id, ...more };
  return (await administrator.ok('POST', '/realm/profile_fields', fields)).id;
}

async function fields(): Promise<Json[]> {
  return (await member.ok('GET', '/realm/profile_fields')).custom_fields;
}

/** Deletes all fields. */
async function clear(): Promise<void> {
  for (const { id } of await fields()) await administrator.ok('DELETE', `/realm/profile_fields/${id}`);
}

async function profileOf(client: TestClient, reader = administrator): Promise<Json> {
  const { user } = await reader.ok('GET', `/users/${client.userId}`, { include_custom_profile_fields: true });
  return user.profile_data;
}

describe('custom profile fields', () => {
  before(clear);

  // rules: users-12
  test('have exactly the documented fields, and are listed in their order for all users', async () => {
    const guest = await server.user({ role: Role.guest });
    const id = await field(SHORT_TEXT, { hint: 'What you weave', required: true, display_in_profile_summary: true });
    const other = await field(SELECT, { field_data: OPTIONS, editable_by_user: false });
    const [first, second, ...more] = (await guest.ok('GET', '/realm/profile_fields')).custom_fields;
    assert.deepEqual(first, {
      id,
      name: first.name,
      type: 1,
      hint: 'What you weave',
      field_data: '',
      order: first.order,
      required: true,
      editable_by_user: true,
      display_in_profile_summary: true,
    });
    assert.deepEqual([second.id, JSON.parse(second.field_data), second.editable_by_user], [other, OPTIONS, false]);
    assert(!('display_in_profile_summary' in second));
    assert(first.order < second.order);
    assert.deepEqual(more, []);
  });

  // rules: users-12
  test('each change sends the whole list of fields to all users', async () => {
    await clear();
    const queue = await member.register({ event_types: ['custom_profile_fields'] });
    const a = await field(SHORT_TEXT);
    const b = await field(DATE);
    await administrator.ok('PATCH', '/realm/profile_fields', { order: [b, a] });
    await administrator.ok('PATCH', `/realm/profile_fields/${a}`, { name: 'Another', hint: 'new' });
    await administrator.ok('DELETE', `/realm/profile_fields/${b}`);
    const events = await queue.now();
    assert.deepEqual(
      events.map((event) => event.fields.map(({ id, name }: Json) => [id, name])),
      [
        [[a, `Field ${made - 1}`]],
        [
          [a, `Field ${made - 1}`],
          [b, `Field ${made}`],
        ],
        [
          [b, `Field ${made}`],
          [a, `Field ${made - 1}`],
        ],
        [
          [b, `Field ${made}`],
          [a, 'Another'],
        ],
        [[a, 'Another']],
      ],
    );
    const state = (await member.register({ fetch_event_types: ['custom_profile_fields'] })).state;
    assert.deepEqual(state.custom_profile_fields, events.at(-1)?.fields);
  });

  test('an unchanged field sends no event', async () => {
    const id = await field(SHORT_TEXT, { hint: 'as it is' });
    const queue = await member.register({ event_types: ['custom_profile_fields'] });
    await administrator.ok('PATCH', `/realm/profile_fields/${id}`, { hint: 'as it is' });
    await administrator.ok('PATCH', `/realm/profile_fields/${id}`);
    assert.deepEqual(await queue.now(), []);
  });

  // rules: users-12
  test('only administrators can change them', async () => {
    const id = await field(SHORT_TEXT);
    const moderator = await server.user({ role: Role.moderator });
    for (const [method, path, parameters] of [
      ['POST', '/realm/profile_fields', { name: 'x', field_type: 1 }],
      ['PATCH', '/realm/profile_fields', { order: [id] }],
      ['PATCH', `/realm/profile_fields/${id}`, { name: 'x' }],
      ['DELETE', `/realm/profile_fields/${id}`, {}],
    ] as const) {
      const { code, msg } = await moderator.fails(method, path, parameters);
      assert.deepEqual([code, msg], ['UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator']);
    }
  });

  test('the initial state contains the field types and the known external accounts', async () => {
    const { state } = await member.register();
    assert.deepEqual(state.custom_profile_field_types, PROFILE_FIELD_TYPES);
    assert.deepEqual(state.realm_default_external_accounts, DEFAULT_EXTERNAL_ACCOUNTS);
  });

  const refusals: readonly (readonly [string, Fields, string])[] = [
    ['a blank name', { name: '  ' }, 'Label cannot be blank.'],
    ['no name', { name: undefined }, 'Label cannot be blank.'],
    ['a long name', { name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
    ['a long hint', { hint: 'x'.repeat(81) }, 'hint is too long (limit: 80 characters)'],
    ['an unknown type', { field_type: 9 }, 'Invalid field type.'],
    ['no options', { field_type: 3 }, 'Field must have at least one choice.'],
    ['a blank key', { field_type: 3, field_data: { ' ': OPTIONS['0'] } }, "'value' cannot be blank."],
    [
      'an option without an order',
      { field_type: 3, field_data: { a: { text: 'x' } } },
      'order key is missing from field_data',
    ],
    [
      'a blank option',
      { field_type: 3, field_data: { a: { text: ' ', order: '1' } } },
      'field_data["text"] cannot be blank.',
    ],
    ['an option that is a string', { field_type: 3, field_data: { a: 'x' } }, 'field_data is not a dict'],
    [
      'an option with an unknown key',
      { field_type: 3, field_data: { a: { ...OPTIONS['0'], colour: 'x' } } },
      'Unexpected arguments: colour',
    ],
    [
      'a duplicate option',
      { field_type: 3, field_data: { a: OPTIONS['0'], b: OPTIONS['0'] } },
      'Field must not have duplicate choices.',
    ],
    ['an account without a subtype', { field_type: 7, field_data: {} }, 'subtype key is missing from field_data'],
    [
      'an account of a blank subtype',
      { field_type: 7, field_data: { subtype: ' ' } },
      'field_data["subtype"] cannot be blank.',
    ],
    [
      'an account of an unknown subtype',
      { field_type: 7, field_data: { subtype: 'x' } },
      'Invalid external account type',
    ],
    [
      'an account named like a property of Object.prototype',
      { field_type: 7, field_data: { subtype: 'constructor' } },
      'Invalid external account type',
    ],
    [
      'a custom account without a URL pattern',
      { field_type: 7, field_data: { subtype: 'custom' } },
      'Custom external account must define URL pattern',
    ],
    [
      'a URL pattern without a user name',
      { field_type: 7, field_data: { subtype: 'custom', url_pattern: 'https://example.com/' } },
      "URL pattern must contain '%(username)s'.",
    ],
    [
      'a URL pattern with two user names',
      {
        field_type: 7,
        field_data: { subtype: 'custom', url_pattern: 'https://example.com/%(username)s/%(username)s' },
      },
      "URL pattern must contain '%(username)s'.",
    ],
    [
      'a javascript: URL pattern',
      { field_type: 7, field_data: { subtype: 'custom', url_pattern: 'javascript:alert(%(username)s)' } },
      'field_data["url_pattern"] is not a URL',
    ],
    [
      'a long text in profile summaries',
      { field_type: 2, display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
    [
      'users in profile summaries',
      { field_type: 6, display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
  ];
  for (const [what, parameters, message] of refusals) {
    // rules: users-12
    test(`are refused: ${what}`, async () => {
      const { code, msg } = await administrator.fails('POST', '/realm/profile_fields', {
        name: 'Refused',
        field_type: 1,
        ...parameters,
      });
      assert.deepEqual([code, msg], ['BAD_REQUEST', message]);
    });
  }

  // rules: users-12
  test('names are unique, and at most two fields are shown in profile summaries', async () => {
    await clear();
    const id = await field(SHORT_TEXT, { name: 'Loom', display_in_profile_summary: true });
    await field(PRONOUNS, { display_in_profile_summary: true });
    const other = await field(DATE);
    const taken = 'A field with that label already exists.';
    assert.equal(
      (await administrator.fails('POST', '/realm/profile_fields', { name: ' Loom', field_type: 1 })).msg,
      taken,
    );
    assert.equal((await administrator.fails('PATCH', `/realm/profile_fields/${other}`, { name: 'Loom' })).msg, taken);
    const full = 'Only 2 custom profile fields can be displayed in the profile summary.';
    const shown = { display_in_profile_summary: true };
    assert.equal((await administrator.fails('PATCH', `/realm/profile_fields/${other}`, shown)).msg, full);
    await administrator.ok('PATCH', `/realm/profile_fields/${id}`, { ...shown, name: 'Loom' });
    await administrator.ok('DELETE', `/realm/profile_fields/${id}`);
    assert.equal(typeof (await field(SHORT_TEXT, { name: 'Loom' })), 'number', 'the name of a deleted field is free');
  });

  // rules: users-12
  test('a known external account determines name and hint, which cannot be changed', async () => {
    await clear();
    const data = { field_data: { subtype: 'github' } };
    const id = await field(EXTERNAL_ACCOUNT, { ...data, name: 'ignored', hint: 'ignored' });
    const [known] = await fields();
    assert.deepEqual([known.name, known.hint, known.field_data], ['GitHub username', '', '{"subtype":"github"}']);
    const path = `/realm/profile_fields/${id}`;
    for (const change of [{ name: 'Mine' }, { hint: 'Mine' }, { field_data: { subtype: 'twitter' } }]) {
      assert.equal((await administrator.fails('PATCH', path, change)).msg, 'Default custom field cannot be updated.');
    }
    await administrator.ok('PATCH', path, { name: 'GitHub username', display_in_profile_summary: true, ...data });
    assert.equal((await fields())[0].display_in_profile_summary, true);
  });

  // rules: users-12
  test('an order must list each field once', async () => {
    await clear();
    const [a, b] = [await field(SHORT_TEXT), await field(SHORT_TEXT)];
    for (const order of [[a], [a, a], [a, b, b], [a, b, 1_000_000], []]) {
      const { msg } = await administrator.fails('PATCH', '/realm/profile_fields', { order });
      assert.equal(msg, 'Invalid order mapping.');
    }
  });

  test('missing and deleted fields are not found', async () => {
    await clear();
    const id = await field(SHORT_TEXT);
    await administrator.ok('DELETE', `/realm/profile_fields/${id}`);
    for (const unknown of [id, 0, 2 ** 40]) {
      const path = `/realm/profile_fields/${unknown}`;
      const message = `Field id ${unknown} not found.`;
      assert.equal((await administrator.fails('DELETE', path)).msg, message);
      assert.equal((await administrator.fails('PATCH', path, { name: 'x' })).msg, message);
      const data = [{ id: unknown, value: 'x' }];
      assert.equal((await member.fails('PATCH', '/users/me/profile_data', { data })).msg, message);
      assert.equal((await member.fails('DELETE', '/users/me/profile_data', { data: [unknown] })).msg, message);
    }
  });

  test('their number and the size of their data are limited', async () => {
    await clear();
    for (let count = 0; count < MAX_PROFILE_FIELDS; count += 1) await field(SHORT_TEXT);
    const { msg } = await administrator.fails('POST', '/realm/profile_fields', { name: 'One more', field_type: 1 });
    assert.equal(msg, `Too many custom profile fields (limit: ${MAX_PROFILE_FIELDS})`);
    await clear();
    const long = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`${index}`, { text: `${index}`.padEnd(100, 'x'), order: '1' }]),
    );
    const many = Object.fromEntries(
      Array.from({ length: 201 }, (_, index) => [`${index}`, { text: `${index}`, order: '1' }]),
    );
    for (const field_data of [long, many]) {
      await administrator.fails('POST', '/realm/profile_fields', { name: 'Bomb', field_type: 3, field_data });
    }
  });
});

describe('values', () => {
  before(clear);

  const kept: readonly (readonly [string, { readonly id: number }, Fields, unknown, string?])[] = [
    ['a short text', SHORT_TEXT, {}, 'x'.repeat(50)],
    ['a long text', LONG_TEXT, {}, 'x'.repeat(500)],
    ['an option', SELECT, { field_data: OPTIONS }, '1'],
    ['a date', DATE, {}, '2024-02-29'],
    ['a link', LINK, {}, 'https://example.com/loom?a=b#c'],
    [
      'an account',
      EXTERNAL_ACCOUNT,
      { field_data: { subtype: 'custom', url_pattern: 'https://x.org/%(username)s' } },
      'ada',
    ],
    ['pronouns', PRONOUNS, {}, 'she/her'],
  ];
  for (const [what, type, more, value] of kept) {
    // rules: users-13
    test(`are stored and sent to all users: ${what}`, async () => {
      await clear();
      const id = await field(type, more);
      const queue = await administrator.register({ event_types: ['realm_user'] });
      await member.ok('PATCH', '/users/me/profile_data', { data: [{ id, value }] });
      const [event, ...others] = await queue.now();
      const marked = type === SHORT_TEXT || type === LONG_TEXT;
      const expected = { value, ...(marked && { rendered_value: `<p>${value}</p>` }) };
      assert.deepEqual(event.person, { user_id: member.userId, custom_profile_field: { id, ...expected } });
      assert.deepEqual([event.op, others], ['update', []]);
      assert.deepEqual(await profileOf(member), { [id]: expected });
    });
  }

  test('of users are lists of ids, sent as a list or as JSON', async () => {
    await clear();
    const id = await field(USER);
    const ids = [administrator.userId, member.userId];
    await member.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: ids }] });
    assert.deepEqual(await profileOf(member), { [id]: { value: JSON.stringify(ids) } });
    const queue = await member.register({ event_types: ['realm_user'] });
    await member.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: JSON.stringify(ids) }] });
    assert.deepEqual(await queue.now(), [], 'an equal value sends no event');
  });

  const refused: readonly (readonly [string, { readonly id: number }, unknown, string])[] = [
    ['a text that is too long', SHORT_TEXT, 'x'.repeat(51), 'Named is too long (limit: 50 characters)'],
    ['a long text that is too long', LONG_TEXT, 'x'.repeat(501), 'Named is too long (limit: 500 characters)'],
    ['a list for a text', SHORT_TEXT, [1], 'Named is not a string'],
    ['an unknown option', SELECT, '7', "'7' is not a valid choice for 'Named'."],
    [
      'an option named like a property of Object.prototype',
      SELECT,
      'constructor',
      "'constructor' is not a valid choice for 'Named'.",
    ],
    ['a day that does not exist', DATE, '2023-02-29', 'Named is not a date'],
    ['a date in another format', DATE, '1/2/2023', 'Named is not a date'],
    ['a javascript: link', LINK, 'javascript:alert(1)', 'Named is not a URL'],
    ['a link without a host', LINK, 'https://', 'Named is not a URL'],
    ['a link with quotes', LINK, 'https://example.com/"onclick="', 'Named is not a URL'],
    ['an unknown user', USER, [1_000_000], 'Invalid user ID: 1000000'],
    ['a user by name', USER, 'Ada', 'User IDs is not a list'],
  ];
  for (const [what, type, value, message] of refused) {
    // rules: users-13
    test(`are refused together with the rest of the request: ${what}`, async () => {
      await clear();
      const beside = await field(PRONOUNS);
      const id = await field(type, { name: 'Named', ...(type === SELECT && { field_data: OPTIONS }) });
      const data = [
        { id: beside, value: 'they' },
        { id, value },
      ];
      const { code, msg } = await member.fails('PATCH', '/users/me/profile_data', { data });
      assert.deepEqual([code, msg], ['BAD_REQUEST', message]);
      assert.deepEqual(await profileOf(member), {});
      await administrator.fails('PATCH', `/users/${member.userId}`, { profile_data: data });
    });
  }

  test('of users cannot contain deactivated users', async () => {
    await clear();
    const id = await field(USER);
    const closed = await server.user();
    await administrator.ok('DELETE', `/users/${closed.userId}`);
    const { msg } = await member.fails('PATCH', '/users/me/profile_data', { data: [{ id, value: [closed.userId] }] });
    assert.equal(msg, `User with ID ${closed.userId} is deactivated`);
  });

  // rules: users-13
  test('markup in values is rendered, and HTML is escaped', async () => {
    await clear();
    const id = await field(LONG_TEXT);
    const value = '**bold** <img src=x onerror=alert(1)>';
    await member.ok('PATCH', '/users/me/profile_data', { data: [{ id, value }] });
    const { rendered_value: html } = (await profileOf(member))[id];
    assert.match(html, /<strong>bold<\/strong>/);
    assert(!html.includes('<img'));
    const name = '<script>alert(1)</script>';
    await administrator.ok('PATCH', `/realm/profile_fields/${id}`, { name });
    assert.equal((await fields())[0].name, name, 'field names are plain text, which clients escape');
  });

  // rules: users-13
  test('removing a value sends null', async () => {
    await clear();
    const [a, b] = [await field(SHORT_TEXT), await field(PRONOUNS)];
    const data = [
      { id: a, value: 'x' },
      { id: b, value: 'y' },
    ];
    await member.ok('PATCH', '/users/me/profile_data', { data });
    const queue = await administrator.register({ event_types: ['realm_user'] });
    await member.ok('DELETE', '/users/me/profile_data', { data: [a] });
    await member.ok('DELETE', '/users/me/profile_data', { data: [a] });
    await administrator.ok('PATCH', `/users/${member.userId}`, { profile_data: [{ id: b, value: '' }] });
    const events = await queue.now();
    assert.deepEqual(
      events.map(({ person }) => person.custom_profile_field),
      [
        { id: a, value: null },
        { id: b, value: null },
      ],
    );
    assert.deepEqual(await profileOf(member), {});
  });

  // rules: users-13
  test('of fields with editable_by_user=false can be changed only by administrators', async () => {
    await clear();
    const id = await field(SHORT_TEXT, { editable_by_user: false });
    const refusal = 'You are not allowed to change this field. Contact an administrator to update it.';
    const data = [{ id, value: 'Weaver' }];
    assert.equal((await member.fails('PATCH', '/users/me/profile_data', { data })).msg, refusal);
    await administrator.ok('PATCH', `/users/${member.userId}`, { profile_data: data });
    assert.equal((await member.fails('DELETE', '/users/me/profile_data', { data: [id] })).msg, refusal);
    await administrator.ok('PATCH', '/users/me/profile_data', { data });
    assert.equal((await profileOf(member))[id].value, 'Weaver');
  });

  // rules: users-13
  test('deleting a field or an option removes its values', async () => {
    await clear();
    const id = await field(SELECT, { field_data: OPTIONS });
    const text = await field(SHORT_TEXT);
    await member.ok('PATCH', '/users/me/profile_data', {
      data: [
        { id, value: '0' },
        { id: text, value: 'x' },
      ],
    });
    await administrator.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: '1' }] });
    const queue = await member.register({ event_types: ['realm_user', 'custom_profile_fields'] });
    await administrator.ok('PATCH', `/realm/profile_fields/${id}`, { field_data: { '1': OPTIONS['1'] } });
    await administrator.ok('DELETE', `/realm/profile_fields/${text}`);
    const [gone, changed, deleted, ...more] = await queue.now();
    assert.deepEqual(gone.person, { user_id: member.userId, custom_profile_field: { id, value: null } });
    assert.deepEqual([changed.type, deleted.type, more], ['custom_profile_fields', 'custom_profile_fields', []]);
    assert.deepEqual(await profileOf(member), {});
    assert.deepEqual(await profileOf(administrator), { [id]: { value: '1' } });
  });

  test('deleting a field deletes its values from the database', async () => {
    await clear();
    const id = await field(SHORT_TEXT);
    await member.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: 'x' }] });
    await administrator.ok('DELETE', `/realm/profile_fields/${id}`);
    const left = async () => {
      const rows = await server.app.db.selectFrom('profile_fields').selectAll().where('id', '=', id).execute();
      return rows.length;
    };
    await until(async () => (await left()) === 0, 'the field to be deleted');
    const values = await server.app.db.selectFrom('profile_values').selectAll().where('field_id', '=', id).execute();
    assert.deepEqual(values, []);
  });

  // rules: users-13
  test('are part of user lists on request, and of the initial state', async () => {
    await clear();
    const id = await field(PRONOUNS);
    await member.ok('PATCH', '/users/me/profile_data', { data: [{ id, value: 'they' }] });
    const expected = { [id]: { value: 'they' } };
    const mine = (users: readonly Json[]) => users.find((user) => user.user_id === member.userId);
    const { members } = await administrator.ok('GET', '/users', { include_custom_profile_fields: true });
    assert.deepEqual(mine(members).profile_data, expected);
    assert(!('profile_data' in mine((await administrator.ok('GET', '/users')).members)));
    assert.deepEqual((await member.ok('GET', '/users/me')).profile_data, expected);
    const { state } = await administrator.register();
    assert.deepEqual(mine(state.realm_users).profile_data, expected);
  });

  test('a request contains a limited number of values, in the documented format', async () => {
    await clear();
    const id = await field(SHORT_TEXT);
    const data = Array.from({ length: MAX_PROFILE_FIELDS + 1 }, () => ({ id, value: 'x' }));
    await member.fails('PATCH', '/users/me/profile_data', { data });
    await member.fails('PATCH', '/users/me/profile_data', {
      data: [{ id, value: 'x', user_id: administrator.userId, more: [] }, 7],
    });
    await member.fails('PATCH', '/users/me/profile_data', { data: [{ id }] });
    assert.equal((await member.fails('PATCH', '/users/me/profile_data')).code, 'REQUEST_VARIABLE_MISSING');
  });
});
