import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, test } from 'node:test';
import { MAX_PINNED_MESSAGES } from '@heddle/api/objects/pinned-message.ts';
import { checkedPasswordHash } from '@heddle/server/domain/credentials/passwords.ts';
import { Archive } from '@heddle/server/features/data-export/archive.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { sql } from 'kysely';
import { fromBufferPromise } from 'yauzl';
import { archiveDirectory, exportTo, importArchive } from '../../testing/imported.ts';
import { cancelInterrupted } from '../importing.ts';
import { ImportReport } from '../report.ts';

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let valid: ReadonlyMap<string, Buffer>;
let made = 0;

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
  await server.emptyChannel(server.owner, 'square');
  await server.owner.send('square', 'topic', 'hello');
  const path = join(directory.path, 'valid.zip');
  await exportTo(server, path);
  const zip = await fromBufferPromise(await readFile(path), { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const content = await zip.openReadStreamPromise(entry); // wire name: yauzl's
    entries.set(entry.fileName, Buffer.concat(await content.toArray()));
  }
  valid = entries;
});
after(async () => {
  await server.stop();
  await directory.remove();
});

/** Writes an archive with changed entries. The manifest follows from them, unless it is given too. */
async function archiveWith(changes: Readonly<Record<string, string | undefined>>): Promise<string> {
  made += 1;
  const path = join(directory.path, `hostile-${made}.zip`);
  const entries = new Map<string, Buffer>(valid);
  for (const [name, content] of Object.entries(changes)) {
    if (content === undefined) entries.delete(name);
    else entries.set(name, Buffer.from(content));
  }
  if (!('manifest.json' in changes)) entries.set('manifest.json', Buffer.from(JSON.stringify(manifestFor(entries))));
  const target = { put: (_: string, content: Readable) => pipeline(content, createWriteStream(path)) };
  await Archive.store(target, '', new AbortController().signal, async (archive) => {
    for (const [name, content] of entries) await archive.add(name, Readable.from([content]));
  });
  return path;
}

function manifestFor(entries: ReadonlyMap<string, Buffer>): Json {
  const manifest = JSON.parse(String(valid.get('manifest.json')));
  for (const one of [...manifest.tables, ...manifest.files]) {
    const content = entries.get(one.path) ?? Buffer.alloc(0);
    one.sha256 = createHash('sha256').update(content).digest('hex');
    one.bytes = content.length;
  }
  for (const path of entries.keys()) {
    if (!path.endsWith('.jsonl') || manifest.tables.some((one: Json) => one.path === path)) continue;
    manifest.tables.push({
      path,
      rows: 1,
      bytes: 0,
      sha256: createHash('sha256')
        .update(entries.get(path) ?? '')
        .digest('hex'),
    });
  }
  return manifest;
}

/** Changes the first row of a table. */
function changed(table: string, change: (row: Json) => object): Readonly<Record<string, string>> {
  const [first = '', ...others] = String(valid.get(`${table}.jsonl`)).split('\n');
  const row = JSON.parse(first);
  return { [`${table}.jsonl`]: [JSON.stringify({ ...row, ...change(row) }), ...others].join('\n') };
}

/** Adds a row to a table that has none. */
function withRow(table: string, row: Json): Readonly<Record<string, string>> {
  return { [`${table}.jsonl`]: `${JSON.stringify(row)}\n` };
}

async function refusal(path: string): Promise<string> {
  const app = { db: server.app.db, config: server.app.config, connection: { connectionString: server.shared.url } };
  try {
    await importArchive(server, path, 'hostile');
  } catch (error) {
    assert(error instanceof Error && error.name === 'ImportError', String(error));
    return error.message;
  } finally {
    await cancelInterrupted(app, 'hostile');
    assert.equal(await server.app.organizations.bySubdomain('hostile'), undefined);
  }
  return assert.fail('the archive was imported');
}

test('an archive that is not an export is refused with the reason', async () => {
  const text = join(directory.path, 'text.zip');
  await writeFile(text, 'not a zip');
  assert.match(await refusal(text), /Cannot read .*text\.zip/);
  assert.match(await refusal(join(directory.path, 'missing.zip')), /Cannot read .*missing\.zip/);
  assert.match(await refusal(await archiveWith({ 'manifest.json': undefined })), /has no manifest\.json/);
  assert.match(await refusal(await archiveWith({ 'manifest.json': '[]' })), /does not have the expected fields/);
  assert.match(await refusal(await archiveWith({ 'manifest.json': '{"format"' })), /manifest\.json is not valid JSON/);
  assert.match(await refusal(await archiveWith({ 'manifest.json': '['.repeat(200) })), /nested more than 100 levels/);
  const { format: _, ...newer } = manifestFor(valid);
  const text2 = JSON.stringify({ ...newer, format: 2 });
  assert.match(await refusal(await archiveWith({ 'manifest.json': text2 })), /format 2, but this server knows 1/);
});

test('missing, damaged and changed tables are refused', async () => {
  assert.match(await refusal(await archiveWith({ 'messages.jsonl': undefined })), /no file messages\.jsonl/);
  const manifest = String(valid.get('manifest.json'));
  assert.match(
    await refusal(await archiveWith({ 'messages.jsonl': '', 'manifest.json': manifest })),
    /damaged: messages\.jsonl differs from its checksum/,
  );
  assert.match(
    await refusal(await archiveWith({ 'messages.jsonl': '{"id":', 'manifest.json': manifest })),
    /damaged: messages\.jsonl differs from its checksum/,
  );
  assert.match(
    await refusal(await archiveWith({ 'messages.jsonl': '{}\n{"id":' })),
    /messages\.jsonl, line 2 is not valid JSON/,
  );
  assert.match(await refusal(await archiveWith({ 'messages.jsonl': '1\n' })), /has a line that is not an object/);
  assert.match(
    await refusal(await archiveWith({ 'messages.jsonl': `"${randomBytes(9_000_000).toString('hex')}"` })),
    /line 1 is longer than/,
  );
});

test('compressed data that is damaged is called so', async () => {
  const path = await archiveWith({});
  const bytes = await readFile(path);
  const name = bytes.indexOf('messages.jsonl');
  // A block of type 3, which does not exist. The field before the name has the length of what follows the name.
  bytes[name + 'messages.jsonl'.length + bytes.readUInt16LE(name - 2)] = 7;
  await writeFile(path, bytes);
  assert.match(await refusal(path), /^Cannot read messages\.jsonl, which may be damaged: invalid block type/);
});

test('rows with unknown users, bad values and ids that are too large are refused', async () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [changed('messages', () => ({ sender_id: 999_999 })), /messages, rows 1 to \d+.*foreign key/],
    [changed('messages', () => ({ sender_id: 'x' })), /messages, rows 1 to \d+.*invalid input syntax/],
    [changed('messages', () => ({ topic: null })), /messages, rows 1 to \d+.*null value/],
    [changed('messages', () => ({ topic: {} })), /messages, rows 1 to \d+\): topic is an object/],
    [changed('messages', () => ({ id: 999_999 })), /messages has a row with id 999999, but the last id is/],
    [changed('users', () => ({ id: 2_000_000_000 })), /users has the id 2000000000/],
    [changed('channels', () => ({ recipient_id: -1 })), /channels has the recipient_id -1/],
    [changed('subscriptions', () => ({ since_event_id: 999_999 })), /since_event_id 999999/],
    [changed('users', ({ role }) => ({ role: role === 100 ? 400 : role, is_active: false })), /no active owner|users/],
    [{ 'organizations.jsonl': '' }, /The archive has no organization/],
    [
      changed('organizations', () => ({ deactivated_at: 0 })),
      /organizations has a row whose deactivated_at is not valid/,
    ],
    [changed('organizations', () => ({ user_settings_defaults: [1] })), /whose user_settings_defaults is not valid/],
    [changed('organizations', () => ({ settings: 'x' })), /whose settings is not valid/],
    [
      changed('organizations', () => ({ settings: { can_access_all_users_group: 'x' } })),
      /whose settings is not valid/,
    ],
    [changed('organizations', () => ({ linkifiers: ['x'] })), /whose linkifiers is not valid/],
    [changed('organizations', () => ({ playgrounds: [{ id: 1, name: 'x' }] })), /whose playgrounds is not valid/],
    [withRow('reactions', { emoji_kind: 'x' }), /reactions has a row whose emoji_kind is not valid/],
    [withRow('alert_words', { user_id: 1, words: [null] }), /the organization as a whole.*null/],
    [changed('users', () => ({ bot_owner_id: 'x' })), /users, bot_owner_id.*invalid input syntax/],
    [changed('users', () => ({ role: 77 })), /users has a row whose role is not valid/],
    [changed('users', () => ({ own_settings: 'x' })), /users has a row whose own_settings is not valid/],
    ...[
      [],
      {},
      { can_send_message: 1 },
      { can_subscribe: null },
      { can_subscribe: { directMembers: 'x' } },
      { can_subscribe: 2 ** 60 },
    ].map(
      (group_settings) =>
        [
          changed('channels', () => ({ group_settings })),
          /channels has a row whose group_settings is not valid/,
        ] as const,
    ),
    [changed('user_groups', () => ({ permissions: { can_mention_group: '5' } })), /whose permissions is not valid/],
  ];
  for (const [changes, expected] of cases) {
    if (String(expected).includes('no active owner')) continue;
    assert.match(await refusal(await archiveWith(changes)), expected);
  }
  const users = String(valid.get('users.jsonl')).replaceAll('"role":100', '"role":400');
  assert.match(await refusal(await archiveWith({ 'users.jsonl': users })), /no active owner/);
});

// Otherwise, background readers would add rows while `import cancel` deletes them.
test('an import that fails in its last step leaves no log, so a running server ignores it', async () => {
  const archive = await archiveWith(withRow('alert_words', { user_id: 1, words: [null] }));
  await assert.rejects(importArchive(server, archive, 'hostile'), /the organization as a whole/);
  const { rows } = await sql<{ id: number; logs: number }>`
    SELECT organization_id AS id, (SELECT count(*)::integer FROM logs WHERE logs.organization_id = imports.organization_id) AS logs
      FROM imports WHERE subdomain = 'hostile'`.execute(server.app.db);
  assert.deepEqual(
    rows.map(({ logs }) => logs),
    [0],
  );
  assert.equal(await server.app.organizations.byId(rows[0]?.id ?? 0), undefined);
  assert.match(await refusal(archive), /the organization as a whole/);
});

test('paths that lead out of the archive, and entries that are bombs, are refused before anything is read', async () => {
  assert.match(await refusal(await archiveWith({ '../evil': 'x' })), /invalid relative path|leads out of the archive/);
  assert.match(await refusal(await archiveWith({ '/etc/evil': 'x' })), /absolute path|is absolute/);
  assert.match(
    await refusal(await archiveWith({ bomb: '0'.repeat(40_000_000) })),
    /"bomb" is more than 250 times larger/,
  );
});

test('unknown tables and fields are reported, and HTML that Heddle does not make becomes text', async () => {
  const path = await archiveWith({
    'looms.jsonl': '{"id":1}\n',
    ...changed('messages', () => ({ threads: 3, content: 'text', rendered_content: '<script>alert(1)</script>' })),
  });
  const report = new ImportReport();
  await importArchive(server, path, 'cleaned', { report });
  assert.deepEqual(report.lines, [
    { what: 'Tables that this version does not know: looms', count: 1, examples: [] },
    { what: 'Fields that this version does not know: messages.threads', count: 1, examples: [] },
  ]);
  const { rows } = await server.app.pool.query(
    `SELECT rendered_content AS html FROM messages JOIN organizations o ON o.id = organization_id WHERE subdomain = 'cleaned' ORDER BY messages.id LIMIT 1`,
  );
  assert.equal(rows[0]?.html, '<p>text</p>');
});

test('an archive cannot set passwords and keys, which no export has', async () => {
  const password_hash = await checkedPasswordHash('known to the attacker', []);
  await importArchive(
    server,
    await archiveWith(changed('users', () => ({ password_hash, api_key_version: 9 }))),
    'safe',
  );
  const { rows } = await server.app.pool.query(
    `SELECT DISTINCT password_hash, api_key_version FROM users JOIN organizations o ON o.id = organization_id WHERE subdomain = 'safe'`,
  );
  assert.deepEqual(rows, [{ password_hash: null, api_key_version: 1 }]);
});

// Jobs of the server read these values in SQL, for all organizations at once.
test('settings and time zones that are not valid, line breaks in names, and rights of the operator are not taken over', async () => {
  const path = await archiveWith({
    ...changed('users', () => ({
      full_name: 'Ada\r\nBcc others',
      timezone: 'Mars/Olympus',
      can_create_users: true,
      own_settings: { email_notifications_batching_period_seconds: 'x', color_scheme: 2, unknown: 1 },
    })),
    ...changed('organizations', () => ({
      settings: {
        message_retention_days: 'forever',
        digest_emails_enabled: 'maybe',
        digest_weekday: 7,
        name_changes_disabled: true,
      },
      user_settings_defaults: { enable_digest_emails: 'no', enter_sends: true },
    })),
  });
  const report = new ImportReport();
  await importArchive(server, path, 'checked', { report });
  const { rows } = await server.app.pool.query(
    `SELECT settings, user_settings_defaults, full_name, timezone, own_settings, can_create_users
       FROM organizations o JOIN users u ON u.organization_id = o.id
      WHERE subdomain = 'checked' ORDER BY full_name LIKE 'Ada%' DESC LIMIT 1`,
  );
  assert.deepEqual(rows, [
    {
      settings: { name_changes_disabled: true },
      user_settings_defaults: { enter_sends: true },
      full_name: 'Ada Bcc others',
      timezone: '',
      own_settings: { color_scheme: 2 },
      can_create_users: false,
    },
  ]);
  assert.deepEqual(
    report.lines.map(({ what, count }) => [what, count]),
    [
      ['Settings of the organization that are not valid here: they have their defaults', 3],
      ['Settings of users that are not valid here: they have their defaults', 3],
      ['Values that are not valid here, and are changed: full name', 1],
      ['Rights that only the operator grants, with “heddle user allow”', 1],
      ['Time zones that do not exist', 1],
    ],
  );
});

test('an organization without a name, and texts that are none, get usual ones', async () => {
  const organizations = [
    changed('organizations', () => ({ name: undefined, description: null })),
    changed('organizations', () => ({ name: { first: 'Loom' }, description: ['x'] })),
  ];
  for (const [at, entries] of organizations.entries()) {
    const report = new ImportReport();
    await importArchive(server, await archiveWith(entries), `nameless-${at}`, { report });
    const { rows } = await server.app.pool.query('SELECT name, description FROM organizations WHERE subdomain = $1', [
      `nameless-${at}`,
    ]);
    assert.deepEqual(rows, [{ name: 'Imported', description: '' }]);
    const what = 'Texts of the organization that are not valid here, and are changed';
    assert.deepEqual(
      report.lines.map((line) => [line.what, line.count]),
      [[what, at + 1]],
    );
  }
});

// The API would refuse all of these.
test('values that the API refuses are mended or left out, each with a line in the report', async () => {
  const bad = 'javascript:alert(1)';
  const field = { hint: '', data: '', position: 0, deleted_at: null, is_required: false, is_in_summary: false };
  const account = (id: number, pattern: string) => ({
    ...{ ...field, id, name: `account ${id}`, type: 7, is_editable_by_user: true },
    data: JSON.stringify({ subtype: 'custom', url_pattern: pattern }),
  });
  const link = { ...field, id: 3, name: 'site', type: 5, is_editable_by_user: true };
  const rows = (...all: readonly object[]) => all.map((row) => JSON.stringify(row)).join('\n');
  const [owner] = String(valid.get('users.jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ role }) => role === 100);
  const path = await archiveWith({
    ...changed('users', () => ({ full_name: 'Eve** <img src=x> @**all** |7', avatar_file: '../x', email: 'a b' })),
    ...changed('channels', () => ({ name: 'a\u0000\nb', description: 'one\ntwo' })),
    ...changed('messages', () => ({ topic: 'a\u0007b', client: 'x'.repeat(99) })),
    ...changed('subscriptions', () => ({ color: 'red;background:url(x)' })),
    ...changed('organizations', () => ({
      name: `a\nb${'x'.repeat(99)}`,
      description: 'x'.repeat(2000),
      settings: {
        jitsi_server_url: bad,
        video_chat_url: 'data:text/html,x',
        giphy_rating: 9,
        org_type: 7,
        invite_required: false,
      },
      linkifiers: [
        { id: 1, pattern: 'A(?P<id>\\d+)', urlTemplate: `${bad}//{id}` },
        { id: 2, pattern: '(a+)+(?P<id>b)', urlTemplate: 'https://x.example/{nothing}' },
        { id: 3, pattern: 'B(?P<id>\\d+)', urlTemplate: 'https://x.example/{id}' },
        { id: 4, pattern: 'B(?P<id>\\d+)', urlTemplate: 'https://twice.example/{id}' },
      ],
      playgrounds: [
        { id: 1, name: 'bad', language: 'Python', urlTemplate: `${bad}{code}` },
        { id: 2, name: 'good', language: 'Python', urlTemplate: 'https://x.example/{code}' },
      ],
    })),
    'profile_fields.jsonl': rows(account(1, `${bad}%(username)s`), account(2, 'https://x.example/%(username)s'), link),
    'profile_values.jsonl': rows(
      { field_id: 1, user_id: owner.id, value: 'ada', html: null },
      { field_id: 2, user_id: owner.id, value: 'ada', html: null },
      { field_id: 3, user_id: owner.id, value: bad, html: null },
    ),
    'user_statuses.jsonl': rows({
      user_id: owner.id,
      status_text: 'x'.repeat(99),
      emoji_kind: 'unicode',
      emoji_code: 'zz',
      emoji_name: 'zz',
    }),
    'avatar_pictures.jsonl': rows({ user_id: owner.id, picture: btoa('<script>'), medium: btoa('<script>') }),
    'organization_domains.jsonl': rows({ id: 1, domain: 'no domain', allows_subdomains: false }),
  });
  const report = new ImportReport();
  await importArchive(server, path, 'refused', { report });
  const { rows: found } = await server.app.pool.query(
    `SELECT o.name, length(o.description) AS description, o.settings, o.linkifiers, o.playgrounds,
            (SELECT json_agg(full_name) FROM users u WHERE u.organization_id = o.id AND full_name LIKE 'Eve%') AS names,
            (SELECT json_agg(email) FROM users u WHERE u.organization_id = o.id AND full_name LIKE 'Eve%') AS emails,
            (SELECT count(*)::integer FROM users u WHERE u.organization_id = o.id AND avatar_file IS NOT NULL) AS avatars,
            (SELECT json_agg(json_build_array(name, description)) FROM channels c WHERE c.organization_id = o.id AND description <> '') AS channels,
            (SELECT min(topic) FROM messages m WHERE m.organization_id = o.id AND topic LIKE 'a%') AS topic,
            (SELECT json_agg(id ORDER BY id) FROM profile_fields f WHERE f.organization_id = o.id) AS fields,
            (SELECT json_agg(field_id) FROM profile_values v WHERE v.organization_id = o.id) AS values,
            (SELECT json_agg(json_build_array(length(status_text), emoji_kind)) FROM user_statuses s WHERE s.organization_id = o.id) AS statuses,
            (SELECT count(*)::integer FROM organization_domains d WHERE d.organization_id = o.id) AS domains
       FROM organizations o WHERE subdomain = 'refused'`,
  );
  const [{ channels, emails, ...one }] = found;
  assert.deepEqual(one, {
    name: `ab${'x'.repeat(38)}`,
    description: 1000,
    settings: { invite_required: false },
    linkifiers: [{ id: 3, pattern: 'B(?P<id>\\d+)', urlTemplate: 'https://x.example/{id}' }],
    playgrounds: [{ id: 2, name: 'good', language: 'Python', urlTemplate: 'https://x.example/{code}' }],
    names: ['Eve <img src=x all 7'],
    avatars: 0,
    topic: 'a b',
    fields: [2, 3],
    values: [2],
    statuses: [[60, null]],
    domains: 0,
  });
  assert.match(emails[0], /^imported-\d+@users\.invalid$/);
  assert.match(channels[0][0], /^a {2}b_\d+$/);
  assert.equal(channels[0][1], 'one two');
  const lines = new Map(report.lines.map(({ what, count }) => [what, count]));
  for (const [what, count] of [
    ['Settings of the organization that are not valid here: they have their defaults', 4],
    ['Texts of the organization that are not valid here, and are changed', 2],
    ['Linkifiers whose pattern or address does not work here, or too many', 3],
    ['Code playgrounds that are not valid, or too many', 1],
    ['Values that are not valid here, and are changed: full name', 1],
    ['Values that are not valid here, and are changed: email', 1],
    ['Values that are not valid here, and are changed: avatar file', 1],
    ['Values that are not valid here, and are changed: name', 1],
    ['Values that are not valid here, and are changed: description', 1],
    ['Values that are not valid here, and are changed: topic', 1],
    ['Values that are not valid here, and are changed: client', 1],
    ['Values that are not valid here, and are changed: color', 1],
    ['Values that are not valid here, and are changed: status text', 1],
    ['Profile fields that are not valid here, or too many', 1],
    ['Values of profiles that are not valid here', 2],
    ['Emoji of statuses that do not exist here', 1],
    ['Pictures that are not pictures', 1],
    ['Domains that are not valid, or too many', 1],
  ] as const)
    assert.equal(lines.get(what), count, `${what}: ${JSON.stringify([...lines])}`);
});

// The server reads these for every message, and mails and notifications of all users would stop.
test('quiet hours that the API refuses are left out, and the others are imported', async () => {
  const owner = String(valid.get('users.jsonl'))
    .trim()
    .split('\n')
    .map((line): Json => JSON.parse(line))
    .find(({ role }) => role === 100);
  const hours = { paused_until: null, resumed_until: null, schedule: [], except_direct_messages: false };
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const good = { ...hours, paused_until: soon, schedule: [{ days: [1], from: 0, to: 60 }] };
  const endless = Array.from({ length: 1000 }, () => ({ days: [1], from: 0, to: 1 }));
  const bad: readonly object[] = [
    { ...hours, schedule: 'x' },
    { ...hours, schedule: {} },
    { ...hours, schedule: [null] },
    { ...hours, schedule: [{ days: 1, from: 0, to: 60 }] },
    { ...hours, schedule: [{ days: [1], from: 1e300, to: 60 }] },
    { ...hours, schedule: endless },
    { ...hours, paused_until: 'infinity' },
    { ...hours, paused_until: 'tomorrow' },
    { ...hours, paused_until: '9999-01-01T00:00:00Z' },
    { ...hours, resumed_until: '-infinity' },
    { ...hours, resumed_until: 5 },
  ];
  const rows = [...bad, good].map((row) => JSON.stringify({ user_id: owner.id, ...row }));
  const report = new ImportReport();
  await importArchive(server, await archiveWith({ 'quiet_hours.jsonl': rows.join('\n') }), 'quiet', { report });
  const { rows: found } = await server.app.pool.query(
    `SELECT schedule FROM quiet_hours JOIN organizations o ON o.id = organization_id WHERE subdomain = 'quiet'`,
  );
  assert.deepEqual(found, [{ schedule: good.schedule }]);
  assert.deepEqual(
    report.lines.map(({ what, count }) => [what, count]),
    [['Quiet hours that are not valid', bad.length]],
  );
});

test('of too many pinned messages in a topic, those that were pinned last are imported', async () => {
  const sent = await Promise.all(
    Array.from({ length: MAX_PINNED_MESSAGES + 1 }, (_, at) => server.owner.send('square', 'pins', `text ${at}`)),
  );
  // The API pins no more than fifty.
  await sql`
    INSERT INTO pinned_messages (organization_id, message_id, channel_id, place, user_id, pinned_at)
    SELECT organization_id, id, channel_id, 'topic', sender_id, CASE id WHEN ${sent[7]} THEN now() - interval '1 day' ELSE now() END
      FROM messages WHERE topic = 'pins'`.execute(server.app.db);
  const path = join(directory.path, 'pins.zip');
  await exportTo(server, path);
  const report = new ImportReport();
  await importArchive(server, path, 'pins', { report });
  const { rows } = await sql<{ id: number }>`
    SELECT message_id AS id FROM pinned_messages JOIN organizations o ON o.id = organization_id
     WHERE subdomain = 'pins' ORDER BY 1`.execute(server.app.db);
  const kept = sent.filter((id) => id !== sent[7]).sort((a, b) => a - b);
  assert.deepEqual(
    rows.map(({ id }) => id),
    kept,
  );
  const what = 'Pinned messages, because there are too many in their channel or topic';
  assert.deepEqual(report.lines, [{ what, count: 1, examples: [String(sent[7])] }]);
});
