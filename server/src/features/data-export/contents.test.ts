import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { uploadAvatar } from '@heddle/api/endpoints/avatars.ts';
import { uploadCustomEmoji } from '@heddle/api/endpoints/custom-emoji.ts';
import { uploadIcon } from '@heddle/api/endpoints/organization-pictures.ts';
import { type RawBuilder, sql } from 'kysely';
import { Role } from '../../directory/records.ts';
import { presencesOf } from '../../domain/presence/queries.ts';
import { movingPicture } from '../../testing/access/access-scene.ts';
import { callAs } from '../../testing/access/call-as.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { upload } from '../../testing/clients/user-files.ts';
import { type Exported, madeExport } from '../../testing/server/exported.ts';
import { HiddenPeople } from '../../testing/server/hidden-people.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

/** Ada and the owner consent to the export of their private data; Bo and Cy do not. */
let server: TestServer;
let owner: TestClient;
let ada: TestClient;
let bo: TestClient;
let cy: TestClient;
let exported: Exported;
let published: Exported;

before(async () => {
  server = await startTestServer();
  owner = server.owner;
  ada = await server.user({ name: 'Ada' });
  bo = await server.user({ name: 'Bo' });
  cy = await server.user({ name: 'Cy' });
  for (const one of [owner, ada]) await one.ok('PATCH', '/settings', { allow_private_data_export: true });
  await furnish();
  await fillChannels();
  await keepOwnThings();
  await server.app.jobs.settled();
  published = await madeExport(server, owner, 1);
  exported = await madeExport(server, owner, 2);
});
after(() => server.stop());

/** Creates data of the organization as a whole. */
async function furnish(): Promise<void> {
  await callAs(server.url, owner, uploadIcon, {}, await movingPicture());
  await callAs(server.url, owner, uploadCustomEmoji, { emoji_name: 'loom' }, await movingPicture());
  await callAs(server.url, bo, uploadAvatar, {}, await movingPicture());
  await owner.ok('POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' });
  await owner.ok('POST', '/realm/playgrounds', {
    ...{ name: 'Rust', pygments_language: 'Rust', url_template: 'https://play.example.com/?code={code}' },
  });
  await owner.ok('POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false });
  const { id: field } = await owner.ok('POST', '/realm/profile_fields', { name: 'Trade', field_type: 1 });
  await bo.ok('PATCH', '/users/me/profile_data', { data: [{ id: field, value: 'weaver' }] });
  await owner.ok('POST', '/user_groups/create', { name: 'weavers', description: 'at looms', members: [bo.userId] });
  await owner.ok('POST', '/channel_folders/create', { name: 'Looms', description: 'all of them' });
  await owner.ok('POST', '/invites', { invitee_emails: 'new@example.com', stream_ids: [] });
  await bo.ok('POST', '/users/me/status', { status_text: 'at the loom' });
}

/** Texts with `secret` must be in no export. Texts with `private` must be in full exports only. */
async function fillChannels(): Promise<void> {
  await server.emptyChannel(owner, 'square', { principals: [ada.userId, bo.userId, cy.userId] });
  const square = await ada.send('square', 'warp', 'an open message');
  await ada.ok('PATCH', `/messages/${square}`, { content: 'an open message, edited' });
  await bo.ok('POST', `/messages/${square}/reactions`, { emoji_name: 'octopus' });
  await bo.send('square', 'warp', '@**all** come to the loom');
  await sql`
    INSERT INTO mass_mentions SELECT organization_id, id, 1, '\\x01' FROM messages WHERE mentions_channel`.execute(
    server.app.db,
  );
  const poll = await bo.send('square', 'poll', '/poll Which?\nwarp\nweft');
  const vote = { type: 'vote', key: 'canned,0', vote: 1 };
  await ada.ok('POST', '/submessage', { message_id: poll, msg_type: 'widget', content: JSON.stringify(vote) });
  await bo.send('square', 'files', `see [notes](${await upload(server.url, bo, 'open file')})`);

  await server.emptyChannel(bo, 'cellar', { principals: [cy.userId], invite_only: true });
  await bo.send('cellar', 'x', `secret of the cellar [x](${await upload(server.url, bo, 'secret file')})`);
  await server.emptyChannel(bo, 'study', {
    ...{ principals: [ada.userId, cy.userId], invite_only: true, history_public_to_subscribers: true },
  });
  await bo.send('study', 'x', `private in the study [x](${await upload(server.url, bo, 'private file')})`);
  const vault = { invite_only: true, history_public_to_subscribers: false };
  await server.emptyChannel(bo, 'vault', { ...vault, principals: [cy.userId] });
  await bo.send('vault', 'x', 'secret before Ada came');
  await bo.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], principals: [ada.userId] });
  await bo.send('vault', 'x', 'private while Ada was there');
  await ada.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['square'] });
  await ada.subscribe('square');

  await bo.direct([cy.userId], 'secret between Bo and Cy');
  await bo.direct([ada.userId], 'private for Ada');
  await new HiddenPeople(server).hide(true);
  const guest = await server.user({ role: Role.guest });
  await ada.direct([guest.userId], 'private for a guest');
}

/** Ada and Bo store the same kinds of data: those of Ada are `private`, those of Bo `secret`. */
async function keepOwnThings(): Promise<void> {
  const { id } = await ada.ok('POST', '/channels/create', { name: 'corner', subscribers: [ada.userId, bo.userId] });
  const at = Math.floor(Date.now() / 1000) + 10_000;
  for (const [one, word] of [
    [ada, 'private'],
    [bo, 'secret'],
  ] as const) {
    const content = `${word} text`;
    await one.ok('POST', '/drafts', { drafts: [{ type: 'stream', to: [id], topic: 'x', content }] });
    await one.ok('POST', '/saved_snippets', { title: 'title', content });
    const scheduled = { type: 'channel', to: id, topic: 'x', content, scheduled_delivery_timestamp: at };
    await one.ok('POST', '/scheduled_messages', scheduled);
    const message = await one.send(Number(id), 'x', 'in the corner');
    await one.ok('POST', '/reminders', { message_id: message, note: content, scheduled_delivery_timestamp: at });
    await one.ok('POST', '/messages/flags', { messages: [message], op: 'add', flag: 'starred' });
    await one.ok('POST', '/users/me/alert_words', { alert_words: [`${word}-word`] });
    await one.ok('POST', `/users/me/muted_users/${cy.userId}`);
    await one.ok('POST', '/navigation_views', { fragment: `narrow/${word}`, is_pinned: true, name: content });
    await one.ok('POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_resolve_topic' });
    await one.ok('POST', '/user_topics', { stream_id: id, topic: `${word} topic`, visibility_policy: 3 });
    await one.ok('POST', '/users/me/presence', { status: 'active' });
    await upload(server.url, one, `${word} unlinked file`);
    const { user_id: bot, api_key: apiKey } = await one.ok('POST', '/bots', {
      full_name: `Bot of ${one.name}`,
      short_name: one.name,
    });
    const { members } = await one.ok('GET', '/users');
    const { email } = members.find((user: Json) => user.user_id === bot);
    const storage = JSON.stringify({ [content]: content });
    const headers = { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` };
    await fetch(`${server.url}/api/v1/bot_storage`, { method: 'PUT', headers, body: new URLSearchParams({ storage }) });
  }
  const organization = await server.app.organizations.bySubdomain('');
  if (organization !== undefined) await presencesOf(server.app, organization).flush();
}

// rules: exports-4
test('the manifest lists each file of the archive with its size, its checksum and its rows', () => {
  for (const { manifest, entries, rows } of [exported, published]) {
    const files = [...manifest.tables, ...manifest.files];
    assert.deepEqual([...entries.keys()].toSorted(), [...files.map(({ path }) => path), 'manifest.json'].toSorted());
    for (const { path, bytes, sha256 } of files) {
      const content = entries.get(path) ?? Buffer.alloc(0);
      assert.equal(content.length, bytes, path);
      assert.equal(createHash('sha256').update(content).digest('hex'), sha256, path);
    }
    for (const { path, rows: count } of manifest.tables) {
      assert.equal(rows(path.replace('.jsonl', '')).length, count, path);
    }
    assert.deepEqual(manifest.missing, []);
  }
  assert.deepEqual([published.manifest.type, exported.manifest.type], ['public', 'full_with_consent']);
});

// rules: exports-5
test('a full export has every kind of data', () => {
  const empty = exported.manifest.tables.filter(({ rows }) => rows === 0).map(({ path }) => path);
  assert.deepEqual(empty, []);
  const [organization] = exported.rows('organizations');
  assert.equal(organization.linkifiers.length, 1);
  assert.equal(organization.playgrounds.length, 1);
  const edited = exported.rows('messages').find(({ edit_count: count }) => count === 1);
  assert.equal(edited.content, 'an open message, edited');
  assert.equal(exported.rows('message_edits')[0].prev_content, 'an open message');
  assert.deepEqual(
    exported
      .rows('avatar_pictures')
      .map(({ user_id: id, picture }) => [id, Buffer.from(picture, 'base64').length > 50]),
    [[bo.userId, true]],
  );
});

// rules: exports-5
test('a full export has the private data of consenting users only', () => {
  const { text, rows } = exported;
  assert.doesNotMatch(text, /secret/);
  assert.match(text, /private in the study/);
  assert.match(text, /private while Ada was there/);
  assert.match(text, /private for Ada/);
  const files = [...exported.entries].filter(([path]) => path.startsWith('uploads/'));
  assert.deepEqual(files.map(([, content]) => content.toString()).toSorted(), [
    'open file',
    'private file',
    'private unlinked file',
  ]);
  const personal = ['drafts', 'saved_snippets', 'scheduled_messages', 'reminders', 'alert_words', 'muted_users'];
  for (const table of [...personal, 'navigation_views', 'user_topics', 'message_flags', 'presences']) {
    const users = new Set(rows(table).map(({ user_id: id }) => id));
    assert(users.has(ada.userId), table);
    assert(!users.has(bo.userId) && !users.has(cy.userId), table);
  }
  assert.deepEqual(
    rows('bot_storage').map(({ value }) => value),
    ['private text'],
  );
  const settings = new Map(rows('users').map(({ id, own_settings: own }) => [id, own]));
  assert.equal(settings.get(ada.userId).allow_private_data_export, true);
  assert.equal(settings.get(bo.userId), null);
  const colors = new Map(rows('subscriptions').map(({ user_id: id, color }) => [id, color]));
  assert.match(colors.get(ada.userId), /^#/);
  assert.equal(colors.get(bo.userId), null);
});

// rules: exports-5
test('a public export has no private channels, direct messages, private files or personal data', () => {
  const { text, rows, manifest, entries } = published;
  assert.doesNotMatch(text, /secret (?!file)/);
  assert.doesNotMatch(text, /private (in|while|for|text|topic|file|unlinked)/);
  assert.deepEqual(
    rows('channels').filter(({ is_private: is }) => is),
    [],
  );
  const empty = manifest.tables.filter(({ rows: count }) => count === 0).map(({ path }) => path.replace('.jsonl', ''));
  assert.deepEqual(
    empty.toSorted(),
    [
      ...['acquaintances', 'alert_words', 'bot_storage', 'direct_conversations', 'direct_participants', 'drafts'],
      ...[
        'invitations',
        'message_flags',
        'muted_users',
        'navigation_views',
        'onboarding_steps',
        'presences',
        'reminders',
      ],
      ...['saved_snippets', 'scheduled_messages', 'user_topics'],
    ].toSorted(),
  );
  const files = [...entries].filter(([path]) => path.startsWith('uploads/'));
  assert.deepEqual(
    files.map(([, content]) => content.toString()),
    ['open file'],
  );
  assert.match(text, /an open message, edited/);
});

// rules: exports-5
test('after a user withdraws consent, later exports do not contain their private data', async () => {
  await ada.ok('PATCH', '/settings', { allow_private_data_export: false });
  const { text } = await madeExport(server, owner, 2);
  assert.doesNotMatch(text, /private (in|while|for|text|topic|file|unlinked)/);
});

// rules: exports-6
test('exports contain no secrets', async () => {
  const { app } = server;
  const { rows: users } = await sql<{ hash: string }>`
    SELECT password_hash AS hash FROM users WHERE password_hash IS NOT NULL`.execute(app.db);
  const { rows: links } = await sql<{ nonce: string; hash: string }>`
    SELECT encode(nonce, 'hex') AS nonce, encode(key_hash, 'hex') AS hash FROM invitations`.execute(app.db);
  const { rows: files } = await sql<{ key: string }>`SELECT storage_key AS key FROM attachments`.execute(app.db);
  const secrets = [
    ...users.map(({ hash }) => hash),
    ...links.flatMap(({ nonce, hash }) => [nonce, hash]),
    ...files.map(({ key }) => key),
    ...[owner, ada, bo].map(({ apiKey }) => apiKey),
    ...[app.secret.toString('hex'), app.secret.toString('base64')],
  ];
  assert(secrets.length > 10);
  for (const { text } of [exported, published]) for (const secret of secrets) assert(!text.includes(secret), secret);
});

/** Values that an import must choose for fields that an export withholds or hides. */
const CHOSEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  organizations: { id: '1000', subdomain: `'imported'` },
  users: { own_settings: `'{}'`, delivery_email: 'r.email' },
  subscriptions: { color: `'#c2c2c2'`, read_through: '0', is_muted: 'false', pin_to_top: 'false' },
  subscription_intervals: { read_through: '0' },
  attachments: { storage_key: 'r.path_id' },
  invitations: { nonce: `''`, key_hash: `'another'` },
};

// rules: exports-4
test('the tables can be imported in the order of the manifest', async () => {
  for (const { manifest, entries } of [exported, published]) {
    const filling = server.app.db.transaction().execute(async (db) => {
      await sql`SET LOCAL TimeZone = 'UTC'`.execute(db);
      for (const { path } of manifest.tables) {
        const table = path.replace('.jsonl', '');
        const lines = (entries.get(path)?.toString() ?? '').trim().split('\n').filter(Boolean);
        for (const line of lines) await insert(db, table, line);
        if (table === 'organizations') await sql`INSERT INTO logs (organization_id) VALUES (1000)`.execute(db);
      }
      throw new Error('all rows were accepted');
    });
    await assert.rejects(filling, /all rows were accepted/);
  }
});

// rules: exports-7
test('a file missing from storage is listed as missing and does not prevent an export', async () => {
  const { db, storage } = server.app;
  const [kept] = published.manifest.files;
  const { rows } = await sql<{ key: string }>`
    SELECT storage_key AS key FROM attachments WHERE 'uploads/' || id = ${kept?.path}`.execute(db);
  await storage.remove(rows[0]?.key ?? '');
  const { manifest, entries } = await madeExport(server, owner, 1);
  assert.deepEqual([manifest.missing, manifest.files], [[kept?.path], []]);
  assert(!entries.has(kept?.path ?? ''));
  assert.equal(manifest.tables.find(({ path }) => path === 'attachments.jsonl')?.rows, 1);
});

async function insert(db: typeof server.app.db, table: string, line: string): Promise<void> {
  const { rows: columns } = await sql<{ name: string; type: string }>`
    SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_name = ${table} AND is_generated = 'NEVER' AND column_name <> 'organization_id'`.execute(db);
  const row: Json = JSON.parse(line);
  const chosen = CHOSEN[table] ?? {};
  const present = columns.filter(({ name }) => name in row || name in chosen);
  const values = present.map(({ name, type }): RawBuilder<unknown> => {
    if (type === 'bytea' && name in row) return sql`decode(${row[name]}, 'base64')`;
    const own = sql`r.${sql.ref(name)}`;
    if (chosen[name] === undefined) return own;
    // The id and the subdomain of the organization are new.
    return table === 'organizations' ? sql.raw(chosen[name]) : sql`coalesce(${own}, ${sql.raw(chosen[name])})`;
  });
  // `decode` reads these instead.
  for (const { name, type } of columns) if (type === 'bytea') delete row[name];
  const isOrganization = table === 'organizations';
  await sql`
    INSERT INTO ${sql.table(table)} (${sql.join([...(isOrganization ? [] : ['organization_id']), ...present.map(({ name }) => name)].map((name) => sql.ref(name)))})
    OVERRIDING SYSTEM VALUE
    SELECT ${sql.join([...(isOrganization ? [] : [sql`1000`]), ...values])}
      FROM json_populate_record(NULL::${sql.table(table)}, ${JSON.stringify(row)}::json) AS r`.execute(db);
}
