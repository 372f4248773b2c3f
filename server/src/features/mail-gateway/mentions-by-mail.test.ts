import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import { systemGroup } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { deliverMail } from '../../testing/services/smtp-client.ts';
import { gatewayOf } from './running.ts';

let server: TestServer;
let port: number;
let creator: TestClient;
let member: TestClient;
let reader: TestClient;
/** The address of the channel that the creator got. */
let to: string;
before(async () => {
  server = await startTestServer({
    environment: { HEDDLE_LOG_LEVEL: 'silent', HEDDLE_MAIL_GATEWAY: '127.0.0.1:0', HEDDLE_RATE_LIMITS: 'off' },
  });
  port = (await gatewayOf(server.app).listening) ?? 0;
  [creator, member, reader] = [await server.user(), await server.user(), await server.user()];
  const principals = [creator, member, reader].map(({ userId }) => userId);
  const id = await server.emptyChannel(server.owner, 'mails', { principals });
  to = (await creator.ok('GET', `/streams/${id}/email_address`)).email;
  const weavers = { name: 'weavers', description: '', members: [reader.userId] };
  await server.owner.ok('POST', '/user_groups/create', weavers);
  const nobody = await systemGroup(server, 'role:nobody');
  const quiet = { name: 'quiet', description: '', members: [reader.userId], can_mention_group: nobody };
  await server.owner.ok('POST', '/user_groups/create', quiet);
  // So that the topic has participants.
  await reader.send(id, 'x', 'I take part.');
});
after(() => server.stop());

let sent = 0;

interface Mail {
  readonly from: string;
  readonly returnAddress?: string;
  readonly results?: string;
  readonly text: string;
  readonly more?: string;
}

/** The message after the mail, as the reader has it: its source, and what of it mentions the reader. */
async function messageAfter({ from, returnAddress = from, results, text, more = '' }: Mail) {
  sent += 1;
  const result = results === undefined ? '' : `Authentication-Results: ${results}\r\n`;
  const head = `From: <${from}>\r\nTo: <${to}>\r\nSubject: x\r\nMessage-ID: <mention${sent}@example.org>`;
  const source = Buffer.from(`${result}${more}${head}\r\n\r\n${text}\r\n`);
  assert.equal(await deliverMail(port, { from: returnAddress, to }, source), 250);
  const newest = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
  const { messages } = await reader.ok('GET', '/messages', newest);
  const [{ content, flags }] = messages as [{ content: string; flags: readonly string[] }];
  return { content, mentions: flags.filter((flag) => flag.includes('mentioned')).sort() };
}

const mentions = () => ({
  [`@**${reader.name}|${reader.userId}**`]: ['mentioned'],
  '@*weavers*': ['mentioned'],
  '@**all**': ['stream_wildcard_mentioned', 'wildcard_mentioned'],
  '@**topic**': ['topic_wildcard_mentioned', 'wildcard_mentioned'],
});

// rules: mail-25
test('mentions in mails of strangers are silent, and those of members notify', async () => {
  for (const [mention, flags] of Object.entries(mentions())) {
    const text = `Look, ${mention}!`;
    const ofStranger = await messageAfter({ from: 'ext@example.org', text });
    assert.deepEqual(ofStranger.mentions, [], mention);
    assert(ofStranger.content.endsWith(`Look, @_${mention.slice(1)}!`), ofStranger.content);
    for (const from of [creator.email, member.email])
      assert.deepEqual((await messageAfter({ from, text })).mentions, flags, `${mention} ${from}`);
  }
});

// rules: mail-25
test('a mail with the address of a member is by a stranger, if the mail servers did not confirm it', async () => {
  const domain = member.email.slice(member.email.indexOf('@') + 1);
  const text = '@**all** look';
  const notifies = async (mail: Partial<Mail>) =>
    (await messageAfter({ from: member.email, text, ...mail })).mentions.length > 0;
  for (const results of [
    `mx.example.net; dmarc=pass header.from=${domain}`,
    `mx.example.net; spf=none; dkim=pass (2048-bit key) header.d=${domain}`,
    `mx.example.net; spf=pass smtp.mailfrom=${member.email}`,
    `mx.example.net; dmarc=none; dkim=pass header.d=${domain}`,
    `mx.example.net (a \\) ; dmarc=fail); dkim=pass reason="signed; as (it" header.d=${domain}`,
    `mx.example.net; spf=pass smtp.mailfrom="a b"@${domain}`,
  ])
    assert(await notifies({ results }), results);
  for (const results of [
    'mx.example.net; none',
    'mx.example.net; dmarc=fail; spf=pass; dkim=pass header.d=evil.example.org',
    'mx.example.net; dkim=pass header.d=evil.example.org; spf=softfail',
    'mx.example.net; dmarc=none; spf=softfail; dkim=pass header.d=evil.example.org',
    'mx.example.net (a (b); dmarc=pass); spf=fail',
    `mx.example.net; dkim=fail header.d=${domain}`,
    `mx.example.net; dkim=fail (dkim=pass header.d=${domain})`,
    // What a sender can write into a comment or a quoted string is no result.
    'mx.example.net; spf=pass (of x\\); dmarc=pass z) smtp.mailfrom=evil.example.org; dmarc=fail',
    'mx.example.net; spf=pass smtp.mailfrom="; dmarc=pass "@evil.example.org; dmarc=fail',
    `mx.example.net; spf=pass smtp.mailfrom="${domain} "@evil.example.org`,
    `mx.example.net; dkim=pass reason="header.d=${domain}" header.d=evil.example.org`,
    `mx.example.net; dkim=pass header.d=${domain}; spf=fail (no end`,
  ])
    assert.equal(await notifies({ results }), false, results);
  const forged = `Authentication-Results: mx.example.net; dmarc=pass header.from=${domain}\r\n`;
  assert.equal(await notifies({ results: 'mx.example.net; dmarc=fail', more: forged }), false);
  assert.equal(await notifies({ returnAddress: 'ext@example.org' }), false);
  assert.equal(await notifies({ more: 'From: <ext@example.org>\r\n' }), false);
});

// rules: mail-25
test('mentions that the member may not make are silent', async () => {
  assert.deepEqual((await messageAfter({ from: member.email, text: '@*quiet* and @**all**' })).mentions, []);
  const { content } = await messageAfter({ from: 'ext@example.org', text: '`` @**all** ` and @**all**' });
  assert(!content.includes('@*'), content);
});

// rules: mail-25
test('the name of a file mentions nobody', async () => {
  const part = 'Content-Type: text/plain\r\n\r\nSee the file.\r\n';
  const file = 'Content-Disposition: attachment; filename="@**all** x.txt"\r\nContent-Type: text/plain\r\n\r\nx\r\n';
  const more = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n';
  const { mentions: found, content } = await messageAfter({
    from: member.email,
    more,
    text: `--b\r\n${part}--b\r\n${file}--b--`,
  });
  assert.match(content, /See the file\.\n\n\[/);
  assert.deepEqual(found, []);
});
