import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { pictureTurns } from '../../../pictures/decoding.ts';
import type { TestClient } from '../../../testing/clients/client.ts';
import type { Json } from '../../../testing/clients/json.ts';
import { open, tryUpload, upload } from '../../../testing/clients/user-files.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';
import { until } from '../../../testing/server/until.ts';
import { manyPages } from '../../../testing/services/many-pages.ts';
import { drawThumbnailsOf } from './thumbnails.ts';

let server: TestServer;
let ada: TestClient;
let png: Buffer;
let gif: Buffer;
before(async () => {
  server = await startTestServer();
  ada = await server.user({ name: 'Ada' });
  png = await plain(1200, 600, 'red').png().toBuffer();
  const frames = await Promise.all(['red', 'blue'].map((colour) => plain(80, 40, colour).png().toBuffer()));
  gif = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer();
});
after(() => server.stop());

function plain(width: number, height: number, background: string) {
  return sharp({ create: { width, height, channels: 4, background } });
}

async function html(message: number): Promise<string> {
  return (await ada.ok('GET', `/messages/${message}`)).message.content;
}

const pathOf = (url: string) => url.slice('/user_uploads/'.length);

/** Resolves when the thumbnails are drawn, or the file turns out not to be a picture. */
async function drawn(url: string): Promise<void> {
  const { db } = server.app;
  await until(async () => {
    const { picture } = await db
      .selectFrom('attachments')
      .select('picture')
      .where('path_id', '=', pathOf(url))
      .executeTakeFirstOrThrow();
    return picture === null || (picture as Json).thumbnails !== null;
  }, `the thumbnails of ${url}`);
}

// rules: files-9
test('a picture is shown below the paragraph that links to it, with its size and type', async () => {
  const url = await upload(server.url, ada, png, { name: 'red.png', type: 'image/png' });
  await drawn(url);
  const message = await ada.direct([ada.userId], `see [red](${url})`);
  assert.equal(
    await html(message),
    `<p>see <a href="${url}">red</a></p>\n<div class="message_inline_image"><a href="${url}" title="red"><img data-original-content-type="image/png" data-original-dimensions="1200x600" src="/user_uploads/thumbnail/${pathOf(url)}/840x560.webp"></a></div>`,
  );
  const response = await open(server.url, ada, `/user_uploads/thumbnail/${pathOf(url)}/840x560.webp`);
  assert.equal(response.headers.get('content-type'), 'image/webp');
  const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  assert.deepEqual([width, height], [840, 420]);
  const ben = await server.user();
  assert.equal((await open(server.url, ben, `/user_uploads/thumbnail/${pathOf(url)}/840x560.webp`)).status, 404);
  assert.equal((await open(server.url, ada, `/user_uploads/thumbnail/${pathOf(url)}/1x1.webp`)).status, 404);
  assert.equal((await ada.ok('GET', `/thumbnail/status/${pathOf(url)}`)).has_thumbnail, true);
});

// rules: files-9
test('a message sent before thumbnailing shows a placeholder, and a later event replaces it', async () => {
  const url = await upload(server.url, ada, png, { name: 'late.png', type: 'image/png' });
  await drawn(url);
  await server.app.jobs.settled();
  // The state while the job waits.
  const { db } = server.app;
  const row = await db
    .selectFrom('attachments')
    .selectAll()
    .where('path_id', '=', pathOf(url))
    .executeTakeFirstOrThrow();
  await db
    .updateTable('attachments')
    .set({ picture: JSON.stringify({ ...(row.picture as object), thumbnails: null }) })
    .where('id', '=', row.id)
    .execute();
  const queue = await ada.register({ event_types: ['update_message'] });
  const message = await ada.direct([ada.userId], `[late](${url})`);
  const placeholder = await html(message);
  assert.match(
    placeholder,
    /<img class="image-loading-placeholder" data-original-content-type="image\/png" data-original-dimensions="1200x600" src="\/static\/images\/loading\/loader-black.svg">/,
  );
  const loader = await open(server.url, undefined, '/static/images/loading/loader-black.svg');
  assert.equal(loader.status, 200);
  await loader.arrayBuffer();
  await drawThumbnailsOf(server.app, row.organization_id, row.id);
  const [event] = await queue.take(1);
  assert.equal(event.rendering_only, true);
  assert.equal(event.user_id, null);
  assert.equal(event.message_id, message);
  assert.equal(event.rendered_content, await html(message));
  assert.match(event.rendered_content, /src="\/user_uploads\/thumbnail\/.*\/840x560.webp"/);
  const after = (await ada.ok('GET', `/messages/${message}`)).message;
  assert.equal(after.last_edit_timestamp, undefined);
  assert.equal(after.edit_history, undefined);
});

// rules: files-9
test('accounts take turns: many pictures of one do not delay that of another', async () => {
  const [greedy, modest] = [await server.user(), await server.user()];
  const channel = await server.emptyChannel(ada, 'gallery', { principals: [greedy.userId, modest.userId] });
  const queue = await ada.register({ event_types: ['update_message'] });
  const { promise: end, resolve: release } = Promise.withResolvers<void>();
  const held = pictureTurns.run('all', () => end);
  const messages: number[] = [];
  try {
    for (const client of [greedy, greedy, greedy, modest]) {
      const url = await upload(server.url, client, png, { name: 'picture.png', type: 'image/png' });
      messages.push(await client.send(channel, 'pictures', `[picture](${url})`));
    }
  } finally {
    release();
    await held;
  }
  const [first, second, third, modestOne] = messages;
  const events = await queue.take(4);
  assert.deepEqual(
    events.map(({ message_id }) => message_id),
    [first, modestOne, second, third],
  );
});

// rules: files-9
test('an animated picture has animated and still thumbnails', async () => {
  const url = await upload(server.url, ada, gif, { name: 'moves.gif', type: 'image/gif' });
  await drawn(url);
  const message = await ada.direct([ada.userId], `[moves](${url})`);
  assert.match(
    await html(message),
    /<img data-animated="true" .* data-original-dimensions="80x40" src="[^"]*\/840x560-anim.webp">/,
  );
  for (const [format, pages] of [
    ['840x560-anim.webp', 2],
    ['840x560.webp', undefined],
  ] as const) {
    const response = await open(server.url, ada, `/user_uploads/thumbnail/${pathOf(url)}/${format}`);
    assert.equal((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).pages, pages);
  }
});

// rules: files-9
test('a picture that browsers cannot show also has a large transcoded version', async () => {
  const tiff = await plain(100, 50, 'green').tiff().toBuffer();
  const url = await upload(server.url, ada, tiff, { name: 'x.tiff', type: 'image/tiff' });
  await drawn(url);
  const message = await ada.direct([ada.userId], `[x](${url})`);
  assert.match(await html(message), /data-transcoded-image="4032x3024.webp"/);
  const response = await open(server.url, ada, `/user_uploads/thumbnail/${pathOf(url)}/4032x3024.webp`);
  assert.equal(response.status, 200);
  await response.arrayBuffer();
});

// rules: files-9
test('pixel bombs, archives and SVG files are stored but not shown as pictures', async () => {
  const files = [
    ['a bomb of pixels', bomb(30_000, 30_000), 'image/png'],
    ['an archive', Buffer.from('PK\x03\x04 not a picture'), 'image/png'],
    [
      'an SVG that calls itself a PNG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      'image/png',
    ],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'image/svg+xml'],
    ['nothing', Buffer.alloc(0), 'image/png'],
  ] as const;
  for (const [what, content, type] of files) {
    const { status, body } = await tryUpload(server.url, ada, content, { name: 'x.png', type });
    assert.equal(status, 200, what);
    const message = await ada.direct([ada.userId], `[x](${body.url})`);
    assert.equal(await html(message), `<p><a href="${body.url}">x</a></p>`, what);
    assert.equal((await ada.ok('GET', `/thumbnail/status/${pathOf(body.url)}`)).has_thumbnail, false);
  }
});

test('waiting thumbnail jobs do not delay mails', async () => {
  const slow = Promise.withResolvers<void>();
  const drawing = pictureTurns.run('all', () => slow.promise);
  try {
    const urls: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      urls.push(await upload(server.url, ada, png, { name: 'red.png', type: 'image/png' }));
    }
    await server.owner.ok('POST', '/invites', { invitee_emails: 'new@example.com', stream_ids: [] });
    const sent = () => readdir(join(server.app.config.dataDirectory, 'mail')).catch(() => []);
    await until(async () => (await sent()).length > 0, 'the event with the thumbnail');
    slow.resolve();
    for (const url of urls) await drawn(url);
  } finally {
    slow.resolve();
    await drawing;
  }
});

// rules: files-9
test('a picture that turns out to be broken is removed from messages', async () => {
  const url = await upload(server.url, ada, bomb(100, 100), { name: 'broken.png', type: 'image/png' });
  const message = await ada.direct([ada.userId], `[broken](${url})`);
  await drawn(url);
  const { id, organization_id: organizationId } = await server.app.db
    .selectFrom('attachments')
    .selectAll()
    .where('path_id', '=', pathOf(url))
    .executeTakeFirstOrThrow();
  await drawThumbnailsOf(server.app, organizationId, id);
  await until(async () => !(await html(message)).includes('message_inline_image'), 'the message without its picture');
  assert.equal(await html(message), `<p><a href="${url}">broken</a></p>`);
});

// rules: files-9
test('inline_image_preview=false hides pictures, and quotes never show them', async () => {
  const url = await upload(server.url, ada, png, { name: 'red.png', type: 'image/png' });
  await drawn(url);
  const quoted = await ada.direct([ada.userId], `> [red](${url})`);
  assert.doesNotMatch(await html(quoted), /message_inline_image/);
  const listed = await ada.direct([ada.userId], `* [red](${url})\n* [red](${url})`);
  assert.equal((await html(listed)).match(/message_inline_image/g)?.length, 1);
  await server.owner.ok('PATCH', '/realm', { inline_image_preview: false });
  const without = await ada.direct([ada.userId], `[red](${url})`);
  assert.equal(await html(without), `<p><a href="${url}">red</a></p>`);
  await server.owner.ok('PATCH', '/realm', { inline_image_preview: true });
  const film = await upload(server.url, ada, 'not really', { name: 'x.mp4', type: 'video/mp4' });
  const shown = await ada.direct([ada.userId], `[x](${film})`);
  assert.match(
    await html(shown),
    /<div class="message_inline_image message_inline_video"><a href="[^"]*" title="x"><video preload="metadata" src="[^"]*"><\/video><\/a><\/div>$/,
  );
});

test('an uploaded audio file in image syntax gets a player, and other files and links do not', async () => {
  const song = await upload(server.url, ada, 'not really', { name: 'song.mp3', type: 'audio/mpeg' });
  const player = (title: string) => `<audio controls="" preload="metadata" src="${song}" title="${title}"></audio>`;
  const shown = async (content: string) => html(await ada.direct([ada.userId], content));
  assert.equal(await shown(`hear ![so<ng](${song}) now`), `<p>hear ${player('so&lt;ng')} now</p>`);
  assert.equal(await shown(`> ![song](${song})`), `<blockquote>\n<p>${player('song')}</p>\n</blockquote>`);
  assert.equal(await shown(`[song](${song})`), `<p><a href="${song}">song</a></p>`);
  const text = await upload(server.url, ada, 'words', { name: 'song.txt', type: 'text/plain' });
  assert.equal(await shown(`![song](${text})`), `<p><a href="${text}">song</a></p>`);
  assert.equal(await shown('![song](https://a.com/b.mp3)'), '<p><a href="https://a.com/b.mp3">song</a></p>');
  const ben = await server.user();
  const stolen = await ben.direct([ada.userId], `![song](${song})`);
  assert.equal(await html(stolen), `<p><a href="${song}">song</a></p>`);
  const { attachments } = await ada.ok('GET', '/attachments');
  const listed = attachments.find((one: Json) => `/user_uploads/${one.path_id}` === song);
  assert.equal(listed.messages.length, 3);
});

// rules: files-9
test('a message does not reveal a picture that its sender cannot open', async () => {
  const url = await upload(server.url, ada, png, { name: 'red.png', type: 'image/png' });
  await drawn(url);
  const ben = await server.user();
  const message = await ben.direct([ada.userId], `[red](${url})`);
  assert.doesNotMatch(await html(message), /message_inline_image/);
});

/** Creates a PNG whose header declares this size and whose data is truncated. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100)).subarray(0, 10)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, sum]);
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

// rules: files-9
test('a TIFF with 500,000 pages is stored without thumbnails and does not delay other pictures', async () => {
  const pages = { name: 'pages.tif', type: 'image/tiff' };
  const urls = [
    await upload(server.url, ada, manyPages(500_000, 'little'), pages),
    await upload(server.url, ada, manyPages(500_000, 'little'), { ...pages, type: 'image/png' }),
  ];
  for (const url of urls) {
    assert.equal((await open(server.url, ada, url, {}, 'HEAD')).headers.get('content-length'), '3000008');
    const { picture } = await server.app.db
      .selectFrom('attachments')
      .select('picture')
      .where('path_id', '=', pathOf(url))
      .executeTakeFirstOrThrow();
    assert.equal(picture, null);
  }
  const scan = await upload(server.url, ada, await plain(60, 40, 'white').tiff().toBuffer(), {
    ...pages,
    name: 'scan.tif',
  });
  await drawn(scan);
  assert.equal((await ada.ok('GET', `/thumbnail/status/${pathOf(scan)}`)).has_thumbnail, true);
});
