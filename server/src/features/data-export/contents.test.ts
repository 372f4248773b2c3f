import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { type Exported, madeExport } from '../../testing/server/exported.ts';
import { richOrganization } from '../../testing/server/rich-organization.ts';
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
  ({ owner, ada, bo, cy } = await richOrganization(server));
  published = await madeExport(server, owner, 1);
  exported = await madeExport(server, owner, 2);
});
after(() => server.stop());

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
  for (const table of [...personal, 'navigation_views', 'user_topics', 'message_flags', 'presences', 'quiet_hours']) {
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
      ...['quiet_hours', 'saved_snippets', 'scheduled_messages', 'user_topics'],
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
