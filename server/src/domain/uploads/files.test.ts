import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { KEEP_FILES } from '../../storage/leftovers.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import { isFromNow } from '../../testing/clients/times.ts';
import { collectFiles, credentials, keysOnDisk, open, tryUpload, upload } from '../../testing/clients/user-files.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { until } from '../../testing/server/until.ts';

let server: TestServer;
let ada: TestClient;
before(async () => {
  server = await startTestServer({ environment: { HEDDLE_MAX_FILE_UPLOAD_SIZE_MIB: '2' } });
  ada = await server.user({ name: 'Ada' });
});
after(() => server.stop());

/** Returns the number of files in the data directory. */
async function filesOnDisk(): Promise<number> {
  return (await keysOnDisk(server)).length;
}

// rules: versions-2, files-1
test('an upload returns its URL under both names, and its file name', async () => {
  const { status, body } = await tryUpload(server.url, ada, 'warp and weft', { name: 'my [new] pattern (1).txt' });
  assert.equal(status, 200);
  assert.equal(body.url, body.uri);
  assert.equal(body.filename, 'my [new] pattern (1).txt');
  assert.match(body.url, /^\/user_uploads\/\d+\/[0-9a-f]{2}\/[\w-]{24}\/my-new-pattern-1.txt$/);
  const response = await open(server.url, ada, body.url);
  assert.equal(await response.text(), 'warp and weft');
});

// rules: files-3
test('a file is served with headers that keep browsers from running it, in full, in ranges and for HEAD', async () => {
  const path = await upload(server.url, ada, '0123456789', { name: 'Zählung.txt' });
  const whole = await open(server.url, ada, encodeURI(path));
  assert.equal(await whole.text(), '0123456789');
  assert.equal(whole.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(whole.headers.get('x-content-type-options'), 'nosniff');
  assert.match(whole.headers.get('content-security-policy') ?? '', /default-src 'none'.*; sandbox$/);
  assert.match(whole.headers.get('cache-control') ?? '', /^private/);
  assert.equal(
    whole.headers.get('content-disposition'),
    `inline; filename="Z?hlung.txt"; filename*=UTF-8''Z%C3%A4hlung.txt`,
  );
  const part = await open(server.url, ada, encodeURI(path), { range: 'bytes=2-4' });
  assert.equal(part.status, 206);
  assert.equal(await part.text(), '234');
  const head = await open(server.url, ada, encodeURI(path), {}, 'HEAD');
  assert.equal(head.headers.get('content-length'), '10');
  assert.equal(await head.text(), '');
  const again = await ada.ask('GET', encodeURI(path), {}, { 'if-none-match': whole.headers.get('etag') ?? '' });
  assert.equal(again.status, 304);
  const saved = await open(server.url, ada, encodeURI(path.replace('/user_uploads/', '/user_uploads/download/')));
  assert.match(saved.headers.get('content-disposition') ?? '', /^attachment/);
  await saved.text();
});

// rules: files-3
test('SVG, HTML and scripts are never served with a type that browsers run, whatever type they claim', async () => {
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const kinds = [
    ['x.svg', 'image/svg+xml'],
    ['x.html', 'text/html'],
    ['x.xhtml', 'application/xhtml+xml'],
    ['x.js', 'text/javascript'],
    ['x.xml', 'text/xml'],
    ['x.swf', 'application/x-shockwave-flash'],
    ['x', 'text/html\r\nx-evil: 1'],
  ] as const;
  for (const [name, type] of kinds) {
    const path = await upload(server.url, ada, script, { name, type });
    const response = await open(server.url, ada, path);
    assert.equal(response.headers.get('content-type'), 'application/octet-stream', name);
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment/, name);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.match(response.headers.get('content-security-policy') ?? '', /sandbox$/);
    assert.equal(response.headers.get('x-evil'), null);
    await response.arrayBuffer();
  }
  // These names are empty after sanitizing, so the upload is refused.
  for (const name of ['..', '/']) assert.equal((await tryUpload(server.url, ada, 'x', { name })).status, 400, name);
});

// rules: files-3
test('a polyglot file is served as its declared type, without content sniffing', async () => {
  const gif = Buffer.concat([Buffer.from('GIF89a/*'), Buffer.from('*/=1;alert(1)<script>alert(2)</script>')]);
  const path = await upload(server.url, ada, gif, { name: 'x.gif', type: 'image/gif' });
  const response = await open(server.url, ada, path);
  assert.equal(response.headers.get('content-type'), 'image/gif');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  await response.arrayBuffer();
});

test('a file keeps percent signs in its name, and loses characters that turn the direction of text', async () => {
  const names = [
    ['a%20plan.txt', 'a%20plan.txt'],
    ['100%25 %2F.txt', '100%25 %2F.txt'],
    ['say %22hi%22.txt', 'say "hi".txt'],
    ['photo_\u202egpj.exe', 'photo_gpj.exe'],
    ['\u2066a\u2069 \u200fב.txt', 'a \u200fב.txt'],
  ] as const;
  for (const [name, expected] of names) {
    assert.equal((await tryUpload(server.url, ada, 'x', { name })).body.filename, expected);
  }
});

// rules: files-1
test('file names with paths or header injection are sanitized in storage and responses', async () => {
  const names = [
    '../../../etc/passwd',
    '..\\..\\boot.ini',
    '%2e%2e%2fsecret',
    'a\r\nset-cookie: x=1',
    '\u202egnp.exe',
    '.htaccess',
  ];
  for (const name of names) {
    const { status, body } = await tryUpload(server.url, ada, 'x', { name });
    assert.equal(status, 200, name);
    assert.match(body.url, /^\/user_uploads\/\d+\/[0-9a-f]{2}\/[\w-]{24}\/[^/\\%\s]+$/);
    assert.doesNotMatch(body.filename, /[/\\\r\n\u202e]/);
    const response = await open(server.url, ada, body.url);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('set-cookie'), null);
    await response.arrayBuffer();
  }
});

// rules: files-3
test('path traversal and guessed URLs open no file', async () => {
  const path = await upload(server.url, ada, 'x');
  const [, , organization, first, random, name] = path.split('/');
  const tries = [
    `/user_uploads/${organization}/../../secret`,
    `/user_uploads/${organization}/..%2f..%2fsecret`,
    `/user_uploads/${organization}/%2e%2e/%2e%2e/secret`,
    `/user_uploads/${organization}/${first}/${random}/`,
    `/user_uploads/${organization}/${first}/${'A'.repeat(24)}/${name}`,
    `/user_uploads/${organization}/${first}/${random}/${name}%00`,
    `/user_uploads/${organization}/${first}/${random?.toLowerCase()}x/${name}`,
    `/user_uploads/download/${organization}/..%2f..%2fsecret`,
    `/user_uploads/thumbnail/${organization}/${first}/${random}/${name}/..%2f..%2fsecret`,
  ];
  for (const one of tries) {
    const { status } = await ada.ask('GET', one);
    assert(status === 404 || status === 400, `${one} returned ${status}`);
  }
});

// rules: files-5
test('a file above the limit is refused with the documented error, and leaves no data', async () => {
  await collectFiles(server);
  const before = await filesOnDisk();
  const { status, body } = await tryUpload(server.url, ada, Buffer.alloc(2 * 1024 * 1024 + 1));
  assert.equal(status, 400);
  assert.equal(body.msg, 'Uploaded file is larger than the allowed limit of 2 MiB');
  const much = await tryUpload(server.url, ada, Buffer.alloc(3 * 1024 * 1024));
  assert.equal(much.body.msg, 'Uploaded file is larger than the allowed limit of 2 MiB');
  await upload(server.url, ada, Buffer.alloc(2 * 1024 * 1024));
  await collectFiles(server);
  assert.equal(await filesOnDisk(), before + 1);
});

// rules: files-1
test('a request without a file, or with two, is refused', async () => {
  const none = await fetch(`${server.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: credentials(ada),
    body: new FormData(),
  });
  assert.equal((await none.json()).msg, 'You must specify a file to upload');
  const before = (await ada.ok('GET', '/attachments')).attachments.length;
  const notChosen = await fetch(`${server.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { ...credentials(ada), 'content-type': 'multipart/form-data; boundary=x' },
    body: '--x\r\nContent-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--x--\r\n',
  });
  assert.equal(notChosen.status, 400);
  assert.equal((await notChosen.json()).msg, 'You must specify a file to upload');
  assert.equal((await ada.ok('GET', '/attachments')).attachments.length, before);
  const form = new FormData();
  form.append('a', new Blob(['a']), 'a.txt');
  form.append('b', new Blob(['b']), 'b.txt');
  const two = await fetch(`${server.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: credentials(ada),
    body: form,
  });
  assert.equal(two.status, 400);
  assert.equal((await two.json()).msg, 'You may only upload one file at a time');
});

/** Sends an upload whose connection closes before the body ends. */
async function brokenOff(client: TestClient): Promise<void> {
  const before = await filesOnDisk();
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const boundary = 'xxxx';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x.txt"\r\n\r\n`;
  socket.write(
    `POST /api/v1/user_uploads HTTP/1.1\r\nhost: localhost\r\nauthorization: ${credentials(client).authorization}\r\n` +
      `content-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: 100000\r\n\r\n${head}${'x'.repeat(50_000)}`,
  );
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  await until(async () => (await filesOnDisk()) !== before, 'another number of files on disk');
  socket.destroy();
  await givenUp();
}

const leftovers = () => server.app.db.selectFrom('storage_leftovers').selectAll().execute();

/** Resolves when the stored data belongs to no upload and is due for collection. */
async function givenUp(): Promise<void> {
  await until(
    async () => (await leftovers()).some(({ due_at: due }) => due.getTime() <= Date.now()),
    'a leftover that is due',
  );
}

// rules: files-6
test('an incomplete body creates no file, and its data is collected', async () => {
  await collectFiles(server);
  const before = await filesOnDisk();
  await brokenOff(ada);
  const { attachments } = await ada.ok('GET', '/attachments');
  const whole = attachments.length;
  await collectFiles(server);
  assert.equal((await ada.ok('GET', '/attachments')).attachments.length, whole);
  assert.equal(await filesOnDisk(), before);
});

// rules: files-4
test('a temporary URL opens one file without credentials until it expires, and no other file', async () => {
  const path = await upload(server.url, ada, 'temporary', { name: 'tmp.txt' });
  const other = await upload(server.url, ada, 'another', { name: 'other.txt' });
  const { url } = await ada.ok('GET', path);
  assert.match(url, /^\/user_uploads\/temporary\/[^/]+\/tmp.txt$/);
  const response = await open(server.url, undefined, url);
  assert.equal(await response.text(), 'temporary');
  const token = url.split('/')[3];
  const forged = [
    [`/user_uploads/temporary/${token}/other.txt`, 'Invalid filename'],
    [`/user_uploads/temporary/${token.replace(/\.\d+\./, '.9999.')}/tmp.txt`, 'Invalid token'],
    [`/user_uploads/temporary/${token.slice(0, -1)}/tmp.txt`, 'Invalid token'],
    [`/user_uploads/temporary/x/tmp.txt`, 'Invalid token'],
  ] as const;
  for (const [address, words] of forged) {
    const refused = await open(server.url, undefined, address);
    assert.equal(refused.status, 400, address);
    assert.equal((await refused.json()).msg, words);
  }
  const { accessBy, temporaryToken } = await import('./temporary-addresses.ts');
  const { secret } = server.app;
  const past = temporaryToken(secret, { organizationId: 1, attachmentId: 1 }, Date.now() - 61_000);
  assert.equal(accessBy(secret, past, Date.now()), undefined);
  const stranger = await server.user();
  await stranger.fails('GET', other, {}, 404);
});

// rules: files-7
test('files are listed with linking messages and total size, and their owner can delete them', async () => {
  const lister = await server.user();
  const queue = await lister.register({ event_types: ['attachment'] });
  const path = await upload(server.url, lister, 'listed', { name: 'list.txt' });
  const message = await lister.direct([lister.userId], `[x](${path})`);
  const { attachments, upload_space_used: space } = await lister.ok('GET', '/attachments');
  assert.equal(attachments.length, 1);
  const [only] = attachments;
  assert.deepEqual(
    {
      name: only.name,
      path: `/user_uploads/${only.path_id}`,
      size: only.size,
      messages: only.messages.map((one: { id: number }) => one.id),
    },
    { name: 'list.txt', path, size: 6, messages: [message] },
  );
  assert.deepEqual(only.message_ids, [message]);
  assert(isFromNow(only.create_time / 1000));
  assert(isFromNow(only.messages[0].date_sent / 1000));
  await ada.fails('DELETE', `/attachments/${only.id}`);
  await lister.ok('DELETE', `/attachments/${only.id}`);
  const missing = await lister.fails('DELETE', `/attachments/${only.id}`);
  assert.equal(missing.msg, 'Invalid attachment');
  assert.equal((await open(server.url, lister, path)).status, 404);
  const events = await queue.take(3);
  assert.deepEqual(
    events.map(({ op, attachment: { id, messages, message_ids } }) => ({
      op,
      id,
      messages: messages?.map((one: { id: number }) => one.id),
      message_ids,
    })),
    [
      { op: 'add', id: only.id, messages: [], message_ids: [] },
      { op: 'update', id: only.id, messages: [message], message_ids: [message] },
      { op: 'remove', id: only.id, messages: undefined, message_ids: undefined },
    ],
  );
  assert.deepEqual(
    events.map((event) => event.upload_space_used),
    [space, space, space - 6],
  );
});

// rules: edit-26
test('an edit returns the author’s files that no message links to anymore', async () => {
  const path = await upload(server.url, ada, 'detached');
  const kept = await upload(server.url, ada, 'kept');
  const message = await ada.direct([ada.userId], `[a](${path}) [b](${kept})`);
  const other = await ada.direct([ada.userId], `[b](${kept})`);
  const answer = await ada.ok('PATCH', `/messages/${message}`, { content: 'without' });
  assert.deepEqual(
    answer.detached_uploads.map((one: { path_id: string; messages: unknown[] }) => [one.path_id, one.messages]),
    [[path.slice('/user_uploads/'.length), []]],
  );
  const last = await ada.ok('PATCH', `/messages/${other}`, { content: `still [b](${kept})` });
  assert.deepEqual(last.detached_uploads, []);
});

// rules: files-6
test('deleting the last message that links to a file deletes the file and notifies its owner', async () => {
  const path = await upload(server.url, ada, 'gone');
  await collectFiles(server);
  const before = await filesOnDisk();
  const first = await ada.direct([ada.userId], `[a](${path})`);
  const second = await ada.direct([ada.userId], `[a](${path})`);
  const queue = await ada.register({ event_types: ['attachment'] });
  await server.owner.ok('PATCH', '/realm', {
    can_delete_any_message_group: JSON.stringify({ new: { direct_members: [ada.userId], direct_subgroups: [] } }),
  });
  await ada.ok('DELETE', `/messages/${first}`);
  assert.equal((await open(server.url, ada, path)).status, 200);
  await ada.ok('DELETE', `/messages/${second}`);
  assert.equal((await open(server.url, ada, path)).status, 404);
  const events = await queue.take(2);
  assert.deepEqual(
    events.map(({ op, attachment }) => [op, attachment.messages?.map((one: { id: number }) => one.id)]),
    [
      ['update', [second]],
      ['remove', undefined],
    ],
  );
  await collectFiles(server);
  assert.equal(await filesOnDisk(), before - 1);
});

test('no file is removed from the disk during a backup; a deleted one is removed afterwards', async () => {
  await collectFiles(server);
  const before = await filesOnDisk();
  const path = await upload(server.url, ada, 'in the snapshot of a backup');
  const { attachments } = await ada.ok('GET', '/attachments');
  const backup = await server.app.pool.connect();
  await backup.query(`SELECT pg_advisory_lock_shared(${KEEP_FILES})`);
  const id = attachments.find((one: { path_id: string }) => path.endsWith(one.path_id)).id;
  await ada.ok('DELETE', `/attachments/${id}`);
  await collectFiles(server);
  assert.equal(await filesOnDisk(), before + 1);
  await backup.query(`SELECT pg_advisory_unlock_shared(${KEEP_FILES})`);
  backup.release();
  await collectFiles(server);
  assert.equal(await filesOnDisk(), before);
});

// rules: files-6
test('a file without links is deleted after 35 days', async () => {
  const { deleteUnlinked } = await import('./unlinked.ts');
  const path = await upload(server.url, ada, 'forgotten');
  const kept = await upload(server.url, ada, 'linked');
  await ada.direct([ada.userId], `[a](${kept})`);
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  const { signal } = new AbortController();
  await deleteUnlinked(server.app, { at: days(34), signal });
  assert.equal((await open(server.url, ada, path)).status, 200);
  await deleteUnlinked(server.app, { at: days(36), signal });
  assert.equal((await open(server.url, ada, path)).status, 404);
  assert.equal((await open(server.url, ada, kept)).status, 200);
});

// rules: files-5
test('the initial state contains the upload limits and thumbnail formats', async () => {
  const { state } = await ada.register({ fetch_event_types: ['realm'] });
  assert.equal(state.max_file_upload_size_mib, 2);
  assert.equal(state.realm_upload_quota_mib, null);
  assert.deepEqual(
    state.server_thumbnail_formats.map((format: { name: string }) => format.name),
    ['840x560-anim.webp', '840x560.webp'],
  );
});

// rules: files-5
test('an organization above its upload quota is refused with REALM_UPLOAD_QUOTA', async () => {
  const small = await startTestServer({ environment: { HEDDLE_UPLOAD_QUOTA_MIB: '1' } });
  try {
    const { status, body } = await tryUpload(small.url, small.owner, Buffer.alloc(1024 * 1024 + 1));
    assert.equal(status, 400);
    assert.equal(body.code, 'REALM_UPLOAD_QUOTA');
    assert.equal(body.msg, "Upload would exceed your organization's upload quota.");
    await upload(small.url, small.owner, Buffer.alloc(1024 * 1024));
    assert.equal((await tryUpload(small.url, small.owner, 'x')).body.code, 'REALM_UPLOAD_QUOTA');
    const { attachments } = await small.owner.ok('GET', '/attachments');
    await small.owner.ok('DELETE', `/attachments/${attachments[0].id}`);
    await upload(small.url, small.owner, 'x');
    // Of concurrent uploads, as many succeed as fit.
    const piece = 400 * 1024;
    const answers = await Promise.all([1, 2, 3, 4].map(() => tryUpload(small.url, small.owner, Buffer.alloc(piece))));
    assert.deepEqual(answers.map(({ body: { result } }) => result).sort(), ['error', 'error', 'success', 'success']);
    assert.equal((await small.owner.ok('GET', '/attachments')).upload_space_used, 1 + 2 * piece);
  } finally {
    await small.stop();
  }
});

// rules: files-5
test('24 concurrent uploads of one account all succeed', async () => {
  const busy = await server.user();
  const answers = await Promise.all(Array.from({ length: 24 }, () => tryUpload(server.url, busy, 'x')));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal((await busy.ok('GET', '/attachments')).attachments.length, 24);
});

// rules: files-9
test('a HEIC picture is stored and served as a download, without thumbnails', async () => {
  const content = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(500)]);
  for (const type of ['image/heic', 'application/octet-stream']) {
    const path = await upload(server.url, ada, content, { name: 'sheep.heic', type });
    const response = await open(server.url, ada, path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/octet-stream');
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="?sheep.heic/);
    assert(Buffer.from(await response.arrayBuffer()).equals(content));
    const rest = path.slice('/user_uploads/'.length);
    assert.equal((await ada.ok('GET', `/thumbnail/status/${rest}`)).has_thumbnail, false);
    const message = await ada.direct([ada.userId], `[sheep](${path})`);
    const { content: html } = (await ada.ok('GET', `/messages/${message}`)).message;
    assert.equal(html, `<p><a href="${path}">sheep</a></p>`);
  }
});
