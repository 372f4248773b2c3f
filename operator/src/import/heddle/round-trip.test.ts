import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { apiKeyFor } from '@heddle/server/domain/credentials/api-keys.ts';
import { atHost } from '@heddle/server/testing/clients/at-host.ts';
import { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { credentials, upload } from '@heddle/server/testing/clients/user-files.ts';
import { type RichOrganization, richOrganization } from '@heddle/server/testing/server/rich-organization.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { sql } from 'kysely';
import { fromBufferPromise } from 'yauzl';
import { archiveDirectory, exportTo, importArchive } from '../../testing/imported.ts';

let server: TestServer;
let other: TestServer;
let rich: RichOrganization;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let original: string;
let link: string;

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
  other = await startTestServer();
  rich = await richOrganization(server);
  await rich.owner.ok('PATCH', '/realm', { inline_url_embed_preview: true });
  link = await upload(server.url, rich.ada, 'a file with a link');
  const first = await rich.ada.send('square', 'links', `:loom: see [it](${link})`);
  await rich.ada.send(
    'square',
    'links',
    `[earlier](#narrow/channel/square/near/${first}) ![](http://img.example.com/a.png)`,
  );
  await rich.bo.ok('POST', '/messages/flags/narrow', {
    ...{ anchor: first, include_anchor: true, num_before: 2, num_after: 0, op: 'add', flag: 'read' },
    narrow: '[]',
  });
  original = join(directory.path, 'original.zip');
  await exportTo(server, original);
});
after(async () => {
  await server.stop();
  await other.stop();
  await directory.remove();
});

async function clientAt({ app, url }: TestServer, subdomain: string, email: string): Promise<TestClient> {
  const organization = await app.organizations.bySubdomain(subdomain);
  const user = organization?.directory.userByEmail(email);
  assert(organization !== undefined && user !== undefined, `there is no ${email}`);
  const apiKey = apiKeyFor(app.secret, organization.id, user.id, user.apiKeyVersion);
  const host = `${subdomain}.${new URL(url).host}`;
  return new TestClient({ url, host, email, apiKey, userId: user.id, name: user.fullName });
}

/** The entries of an archive, without what must differ: docs/import.md names it. */
async function comparable(path: string): Promise<ReadonlyMap<string, string>> {
  const zip = await fromBufferPromise(await readFile(path), { lazyEntries: true });
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    const content = await zip.openReadStreamPromise(entry); // wire name: yauzl's
    const text = Buffer.concat(await content.toArray()).toString('latin1');
    entries.set(entry.fileName, withoutServer(entry.fileName, text));
  }
  return entries;
}

function withoutServer(path: string, text: string): string {
  if (path === 'manifest.json') {
    const { requested_at: _, snapshot_at: __, tables, ...rest }: Json = JSON.parse(text);
    return JSON.stringify({ ...rest, tables: tables.map(({ path: name, rows }: Json) => ({ name, rows })) });
  }
  if (path === 'organizations.jsonl') {
    const { id: _, subdomain: __, ...rest }: Json = JSON.parse(text);
    return JSON.stringify(rest);
  }
  return text
    .replaceAll(/\/user_avatars\/\d+\/emoji\//g, '/user_avatars/…/emoji/')
    .replaceAll(/\/external_content\/[\da-f]{64}\//g, '/external_content/…/');
}

test('export, import into another server, export gives equal archives', async () => {
  const { rows, lines } = await importArchive(other, original, 'copy');
  assert.deepEqual(lines, []);
  assert(Number(rows.messages) > 15);
  const again = join(directory.path, 'again.zip');
  await exportTo(other, again, 'copy');
  const [before, after] = [await comparable(original), await comparable(again)];
  assert.deepEqual([...after.keys()], [...before.keys()]);
  for (const [path, text] of before) assert.equal(after.get(path), text, path);
});

test('an import beside the original organization on the same server gives equal archives too', async () => {
  await importArchive(server, original, 'twin');
  const again = join(directory.path, 'twin.zip');
  await exportTo(server, again, 'twin');
  const [before, after] = [await comparable(original), await comparable(again)];
  for (const [path, text] of before) assert.equal(after.get(path), text, path);
});

/** The parts of the initial state that name the server, the session or the position. */
const OF_SERVER =
  /^(?:queue_id|realm_url|realm_uri|zulip_|server_|realm_bot_domain|realm_(?:icon|logo|night_logo|emoji|host)|realm_.*url|event_queue|avatar|presence|user_id|devices|login)/;

test('each user gets the same initial state and history from the imported organization', async () => {
  for (const client of [rich.owner, rich.ada, rich.bo, rich.cy]) {
    const copy = await clientAt(other, 'copy', client.email);
    const states = await Promise.all(
      [client, copy].map(async (one) => {
        const state = await one.ok('POST', '/register', { apply_markdown: true, fetch_event_types: null });
        return Object.fromEntries(Object.entries(state).filter(([key]) => !OF_SERVER.test(key)));
      }),
    );
    const [before, after] = states.map((state) => JSON.parse(withoutServer('', JSON.stringify(state))));
    for (const key of Object.keys(before)) {
      if (
        key === 'realm_users' ||
        key === 'realm_bots' ||
        key === 'cross_realm_bots' ||
        key === 'realm_non_active_users'
      )
        continue;
      assert.deepEqual(after[key], before[key], key);
    }
    const read = { anchor: 'oldest', num_before: 0, num_after: 1000, apply_markdown: true };
    const [mine, theirs] = await Promise.all(
      [client, copy].map(async (one) => {
        const { messages } = await one.ok('GET', '/messages', read);
        return messages.map(
          ({ id, content, flags, reactions, timestamp, sender_id: sender, edit_history: edits }: Json) => ({
            ...{ id, flags, timestamp, sender, edits: edits?.length },
            content: withoutServer('', content),
            reactions: reactions.map(({ emoji_name: name, user_id: user }: Json) => [name, user]),
          }),
        );
      }),
    );
    assert(mine.length > 5);
    assert.deepEqual(theirs, mine);
    const [pins, copied] = await Promise.all([client, copy].map(pinsOf));
    assert.deepEqual(copied, pins);
  }
});

/** The pinned messages of all channels that the user can read. */
async function pinsOf(client: TestClient): Promise<readonly Json[]> {
  const { streams } = await client.ok('GET', '/streams');
  const lists = await Promise.all(
    streams.map(({ stream_id }: Json) => client.call('GET', `/streams/${stream_id}/pinned_messages`)),
  );
  const pins = lists.flatMap(({ body }) => body.pinned_messages ?? []);
  assert.equal(pins.length, 1);
  return pins;
}

test('an imported organization that shows previews of websites looks for links in its new messages', async () => {
  const { rows } = await sql`
    SELECT FROM log_cursors JOIN organizations ON id = organization_id
     WHERE subdomain = 'copy' AND consumer = 'link-previews'`.execute(other.app.db);
  assert.equal(rows.length, 1);
});

test('an imported organization goes on: it sends, uploads and creates with new ids, and a client receives the events', async () => {
  const copy = await clientAt(other, 'copy', rich.ada.email);
  const bo = await clientAt(other, 'copy', rich.bo.email);
  const { queue_id: queue, last_event_id: last } = await bo.ok('POST', '/register', { event_types: ['message'] });
  const { messages } = await copy.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
  const sent = await copy.send('square', 'after', 'after the move');
  const { rows } = await sql<{ id: number }>`
    SELECT message_head AS id FROM logs JOIN organizations o ON o.id = organization_id WHERE subdomain = 'copy'`.execute(
    other.app.db,
  );
  assert(sent > messages[0].id);
  assert.equal(rows[0]?.id, sent);
  const { events } = await bo.ok('GET', '/events', { queue_id: queue, last_event_id: last });
  assert.deepEqual(
    events.map(({ message }: Json) => message.id),
    [sent],
  );
  const owner = await clientAt(other, 'copy', rich.owner.email);
  await owner.ok('POST', '/user_groups/create', { name: 'spinners', description: 'new', members: [bo.userId] });
  await owner.ok('POST', '/channels/create', { name: 'new channel', subscribers: [bo.userId] });
  const host = `copy.${new URL(other.url).host}`;
  const form = new FormData();
  form.append('file', new Blob(['another file']), 'another.txt');
  const headers = credentials(copy);
  const uploaded = await atHost(other.url, host, '/api/v1/user_uploads', { method: 'POST', headers, body: form });
  assert.equal(uploaded.status, 200);
  const file = await atHost(other.url, host, link, { headers });
  assert.equal(String(file.body), 'a file with a link');
});
