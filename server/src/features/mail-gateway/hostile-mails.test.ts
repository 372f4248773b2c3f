import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { TestClient } from '../../testing/clients/client.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { countSteps } from '../../testing/server/step-counter.ts';
import { hostileMails } from '../../testing/services/hostile-mails.ts';
import { deliverMail } from '../../testing/services/smtp-client.ts';
import { gatewayOf } from './running.ts';

/** The server may work so much for a mail and the message of a member. Reading any of these mails takes more. */
const MAX_STEPS = 1_000_000;

let server: TestServer;
let port: number;
before(async () => {
  server = await startTestServer({
    environment: { HEDDLE_LOG_LEVEL: 'silent', HEDDLE_MAIL_GATEWAY: '127.0.0.1:0', HEDDLE_RATE_LIMITS: 'off' },
  });
  port = (await gatewayOf(server.app).listening) ?? 0;
});
after(() => server.stop());

const deliver = (from: string, to: string, raw: Buffer) => deliverMail(port, { from, to }, raw);

async function addressFor(person: TestClient, name: string): Promise<string> {
  const id = await server.emptyChannel(person, name);
  const { email } = await person.ok('GET', `/streams/${id}/email_address`);
  return email;
}

function filledIn(text: string, from: string, to: string): Buffer {
  return Buffer.from(text.replace('FROM', from).replace('TO', to).replace('MESSAGE', `${randomUUID()}@example.org`));
}

const plainMail = (from: string, to: string, text: string) =>
  filledIn(`From: <FROM>\r\nTo: TO\r\nMessage-ID: <MESSAGE>\r\n\r\n${text}\r\n`, from, to);

// The first mail and the first message load code and tables, which is no work for a mail.
before(async () => {
  const to = await addressFor(server.owner, 'first mail');
  assert.equal(await deliver('ada@example.org', to, plainMail('ada@example.org', to, 'hello')), 250);
});

for (const [name, make] of Object.entries(hostileMails)) {
  // rules: mail-19
  test(`a mail does not delay the server, and is sent or refused: ${name}`, async () => {
    const [member, mallory] = [await server.user(), await server.user()];
    const channel = await server.emptyChannel(member, `work beside ${name}`);
    const to = await addressFor(mallory, name);
    const raw = filledIn(make(), 'mallory@example.org', to);
    let code = 0;
    const steps = await countSteps(async () => {
      const delivered = deliver('mallory@example.org', to, raw);
      await member.send(channel, 'busy', name);
      code = await delivered;
    });
    // 452: the machine is too busy to read such a mail, and the sender tries again later.
    assert([250, 452, 550, 554].includes(code), `${code}`);
    assert(steps < MAX_STEPS, `the server made ${steps} steps`);
    // The gateway works as before.
    const calm = await addressFor(member, `after ${name}`);
    assert.equal(await deliver('ada@example.org', calm, plainMail('ada@example.org', calm, 'hello')), 250);
  });
}

// rules: mail-19
test('an account whose mails exceed the limits is refused for a while, and others are not', async () => {
  const [mallory, member] = [await server.user(), await server.user()];
  const [bad, good] = [await addressFor(mallory, 'bad'), await addressFor(member, 'good')];
  const nested = (hostileMails['deep MIME nesting'] ?? assert.fail)();
  const codes: number[] = [];
  for (let count = 0; count < 5; count++)
    codes.push(await deliver('m@example.org', bad, filledIn(nested, 'm@example.org', bad)));
  assert.deepEqual(codes, [554, 554, 554, 450, 450]);
  assert.equal(await deliver('a@example.org', bad, plainMail('a@example.org', bad, 'late')), 450);
  assert.equal(await deliver('a@example.org', good, plainMail('a@example.org', good, 'hello')), 250);
});

// rules: mail-17
test('a flood of mails for one account is slowed down, and mails for others arrive', async () => {
  const [flooded, member] = [await server.user(), await server.user()];
  const [to, other] = [await addressFor(flooded, 'flooded'), await addressFor(member, 'calm')];
  // Mail servers use about twenty connections for one destination.
  const texts = Array.from({ length: 80 }, (_, index) => `mail ${index}`).values();
  const codes: number[] = [];
  const flood = Promise.all(
    Array.from({ length: 20 }, async () => {
      for (const text of texts) codes.push(await deliver('m@example.org', to, plainMail('m@example.org', to, text)));
    }),
  );
  assert.equal(await deliver('a@example.org', other, plainMail('a@example.org', other, 'hello')), 250);
  await flood;
  assert.equal(codes.length, 80);
  assert(codes.every((code) => code === 250 || (code >= 400 && code < 500)));
  const { messages } = await flooded.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 200,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'flooded' }],
  });
  assert.equal(messages.length, codes.filter((code) => code === 250).length);
  assert(messages.length <= 60, `${messages.length} mails in an hour`);
});

// rules: mail-17
test('a mail of almost 25 MiB arrives with its file', async () => {
  const member = await server.user();
  const to = await addressFor(member, 'large');
  const content = Buffer.alloc(18 * 1024 * 1024, 'a')
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n');
  const text =
    `From: <FROM>\r\nTo: TO\r\nMessage-ID: <MESSAGE>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee the file.\r\n--b\r\n` +
    `Content-Type: application/zip\r\nContent-Disposition: attachment; filename=large.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${content}\r\n--b--\r\n`;
  assert.equal(await deliver(member.email, to, filledIn(text, member.email, to)), 250);
  const { attachments } = await member.ok('GET', '/attachments');
  assert.deepEqual(
    attachments.map(({ name, size }: { name: string; size: number }) => [name, size]),
    [['large.zip', 18 * 1024 * 1024]],
  );
});
