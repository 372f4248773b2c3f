import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { deliverMail } from '../../testing/services/smtp-client.ts';
import { gatewayOf } from './running.ts';

let server: TestServer;
let port: number;
let to: string;
before(async () => {
  server = await startTestServer({
    environment: { HEDDLE_LOG_LEVEL: 'silent', HEDDLE_MAIL_GATEWAY: '127.0.0.1:0', HEDDLE_RATE_LIMITS: 'off' },
  });
  port = (await gatewayOf(server.app).listening) ?? 0;
  const id = await server.emptyChannel(server.owner, 'files', {});
  ({ email: to } = await server.owner.ok('GET', `/streams/${id}/email_address`));
});
after(() => server.stop());

/** Lines of a part: its headers, an empty line, and its content. */
type Part = readonly string[];

const text = (content: string): Part => ['Content-Type: text/plain; charset=utf-8', '', content];
const html = (content: string): Part => ['Content-Type: text/html; charset=utf-8', '', content];

function file(type: string, headers: readonly string[], size = 100): Part {
  const content = Buffer.alloc(size, 'x').toString('base64').replace(/.{76}/g, '$&\r\n');
  return [`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', ...headers, '', content];
}

const inline = (name: string) => `Content-Disposition: inline; filename=${name}`;

/** Delivers a mail of the parts, and returns the message without the addresses of its files. */
async function messageOf(multipart: string, parts: readonly Part[]): Promise<string> {
  const from = server.owner.email ?? '';
  const head = [`From: <${from}>`, `To: <${to}>`, `Message-ID: <${randomUUID()}@example.org>`, 'MIME-Version: 1.0'];
  const body = parts.map((lines) => ['--b', ...lines].join('\r\n'));
  const source = [...head, `Content-Type: multipart/${multipart}; boundary=b`, '', ...body, '--b--', ''].join('\r\n');
  assert.equal(await deliverMail(port, { from, to }, Buffer.from(source)), 250);
  const newest = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
  const { messages } = await server.owner.ok('GET', '/messages', newest);
  return messages[0].content.replaceAll(/\(\/user_uploads\/\S+\)/g, '');
}

// rules: mail-18
test('files that a mail program shows in the text are files of the message', async () => {
  const parts = [
    text('See the photo.'),
    file('image/jpeg; name=IMG_0001.jpg; x-apple-part-url=1', [inline('IMG_0001.jpg')]),
    file('application/pdf; name=report.pdf', [inline('report.pdf')]),
    file('application/pdf; name="x.pdf"', []),
    file('application/zip', ['Content-Disposition: attachment']),
    text('The end.'),
  ];
  const message = await messageOf('mixed', parts);
  assert.equal(
    message.replace(/\n+/g, '\n'),
    'See the photo.\nThe end.\n[IMG_0001.jpg]\n[report.pdf]\n[x.pdf]\n[file]',
  );
});

// rules: mail-18
test('a mail with only a photo becomes a message with it', async () => {
  const photo = file('image/jpeg; name=IMG_0001.jpg', [inline('IMG_0001.jpg')]);
  assert.equal(await messageOf('mixed', [photo]), '[IMG_0001.jpg]');
});

// rules: mail-18
test('a small picture in the text is a decoration, and a large one or one without a text is a file', async () => {
  const logo = (size: number) => file('image/png; name=logo.png', [inline('logo.png'), 'Content-ID: <logo@1>'], size);
  const page = html('<p>Hello</p><img src="cid:logo@1" alt="logo">');
  assert.equal(await messageOf('related', [page, logo(5_000)]), 'Hello\n\nlogo');
  assert.equal(await messageOf('related', [page, logo(50_000)]), 'Hello\n\nlogo\n\n[logo.png]');
  const other = html('<p>Hello</p><img src="cid:other@1" alt="">');
  assert.equal(await messageOf('related', [other, logo(5_000)]), 'Hello\n\n[logo.png]');
  assert.equal(await messageOf('related', [html('<img src="cid:logo@1" alt="">'), logo(5_000)]), '[logo.png]');
});

// rules: mail-18
test('a message names the files of its mail that are too many', async () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, index) => file(`text/csv; name="table *${index}*.csv"`, []));
  const eleven = await messageOf('mixed', [text('Tables'), ...files(11)]);
  assert.match(eleven, /table \*9\*\.csv\]\n\nThe mail had too many files\. These are missing: table 10 \.csv$/);
  const many = await messageOf('mixed', [text('Tables'), ...files(50)]);
  assert.match(many, /missing: table 10 \.csv, .*, table 29 \.csv and 20 more$/);
});
