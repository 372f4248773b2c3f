import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import PostalMime from 'postal-mime';
import type { TestClient } from '../../testing/clients/client.ts';
import { queueMissedMails } from '../../testing/server/due.ts';
import { mailsOf } from '../../testing/server/mails.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { deliverMail } from '../../testing/services/smtp-client.ts';
import { gatewayOf } from './running.ts';

let server: TestServer;
let port: number;
before(async () => {
  server = await startTestServer({
    environment: { HEDDLE_LOG_LEVEL: 'silent', HEDDLE_MAIL_GATEWAY: '127.0.0.1:0', HEDDLE_RATE_LIMITS: 'off' },
  });
  port = (await gatewayOf(server.app).listening) ?? 0;
});
after(() => server.stop());

/** A mail about a missed message, as its reader's mail program has it. */
interface Received {
  readonly text: string;
  readonly html: string;
  readonly replyTo: string;
  readonly stopLink: string;
}

async function mailTo(person: TestClient): Promise<Received> {
  await queueMissedMails(server);
  const source = (await mailsOf(server)).findLast(({ to }) => to === person.email)?.source ?? '';
  const { text = '', html = '', replyTo } = await PostalMime.parse(source);
  const [stopLink = ''] = /http\S+unsubscribe\S+/.exec(text) ?? [];
  return { text, html, stopLink, replyTo: replyTo?.[0]?.address ?? '' };
}

let sent = 0;

async function contentAfter(from: string, to: string, type: string, body: string): Promise<string> {
  sent += 1;
  const lines = body.replace(/\r?\n/g, '\r\n');
  const head = `From: <${from}>\r\nTo: <${to}>\r\nSubject: Re: x\r\nMessage-ID: <quoted${sent}@example.org>\r\nMIME-Version: 1.0`;
  const source = Buffer.from(`${head}\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${lines}\r\n`);
  assert.equal(await deliverMail(port, { from, to }, source), 250);
  const newest = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
  const { messages } = await server.owner.ok('GET', '/messages', newest);
  return messages[0].content;
}

const marked = (text: string) => text.replace(/^/gm, '> ');
const addressed = (text: string) => text.replace(/: (http\S+)/g, '<$1>');
const headers = (sender: string) =>
  `Von: ${sender}\nGesendet: Freitag, 27. November 2026 11:18\nAn: Bea\nBetreff: x\n\n`;

/** Replies of mail programs that quote the whole mail. */
const PLAIN: Readonly<Record<string, (mail: Received) => string>> = {
  'marked lines': ({ text }) =>
    `Yes.\n\nOn Fri, Nov 27, 2026 at 11:18 AM <noreply@localhost> wrote:\n\n${marked(text)}`,
  'an introduction without marks': ({ text }) => `Yes.\n\n27.11.26 11:18, noreply@localhost kirjoitti:\n\n${text}`,
  headers: ({ text }) =>
    `Yes.\n\n________________________________\n${headers('noreply@localhost <noreply@localhost>')}${addressed(text)}`,
};

/** The sender is another one, as after a change of the setting, or another server has packed the links. */
const UNKNOWN: Readonly<Record<string, (mail: Received) => string>> = {
  'answers between marked lines': ({ text }) => `${marked(text)}\n\nYes.`,
  'headers in a language': ({ text }) => `Yes.\n\nSaatja: before@example.com\nSaadetud: reede\nTeema: x\n\n${text}`,
  'no introduction': ({ text }) => `Yes.\n\n${addressed(text)}`,
  'packed links': ({ text, stopLink }) =>
    `Yes.\n\n${text.replace(stopLink, `https://safe.example.com/?url=${encodeURIComponent(stopLink)}&data=05`)}`,
  'links packed in another way': ({ text, stopLink }) =>
    `Yes.\n\n${text.replace(stopLink, `https://safe.example.com/?u=${stopLink.replaceAll('-', '-2D').replaceAll('/', '_')}&d=Dw`)}`,
};

const HTML: Readonly<Record<string, (mail: Received) => string>> = {
  'a quote': ({ html }) =>
    `<div>Yes.</div><div>On Fri, Nov 27, 2026 at 11:18 AM &lt;<a href="mailto:noreply@localhost">noreply@localhost</a>&gt; wrote:<br></div><blockquote>${html}</blockquote>`,
  'headers below a rule': ({ html }) =>
    `<div>Yes.</div><hr><div><b>Od:</b> noreply@localhost &lt;noreply@localhost&gt;<br><b>Wysłane:</b> piątek<br><b>Do:</b> Bea<br><b>Temat:</b> x</div>${html}`,
};

async function reader(): Promise<{ readonly person: TestClient; readonly mail: Received }> {
  const person = await server.user();
  await server.owner.direct([person.userId], 'Will you come?');
  const mail = await mailTo(person);
  assert.match(mail.stopLink, /\/missed_messages\/\d+-[a-z2-7]{32}$/);
  return { person, mail };
}

// rules: mail-16
test('a reply to our own mail has only what the user wrote, from each mail program', async () => {
  const { person, mail } = await reader();
  for (const [name, quoting] of Object.entries(PLAIN))
    assert.equal(await contentAfter(person.email, mail.replyTo, 'plain', quoting(mail)), 'Yes.', name);
  for (const [name, quoting] of Object.entries(HTML))
    assert.equal(await contentAfter(person.email, mail.replyTo, 'html', quoting(mail)), 'Yes.', name);
});

// rules: mail-10, mail-16
test('a message never contains the link that stops the mails of the user who replies, or who forwards a mail', async () => {
  const { person, mail } = await reader();
  const key = mail.stopLink.slice(mail.stopLink.lastIndexOf('-') + 1);
  const id = await server.emptyChannel(person, 'forwarded', { principals: [server.owner.userId] });
  const { email } = await person.ok('GET', `/streams/${id}/email_address`);
  for (const [name, quoting] of Object.entries({ ...PLAIN, ...UNKNOWN })) {
    for (const to of [mail.replyTo, email]) {
      const content = await contentAfter(person.email, to, 'plain', quoting(mail));
      assert.match(content, /Yes\./, name);
      assert(!content.includes(key), `${name}: ${content}`);
    }
  }
  for (const [name, quoting] of Object.entries(HTML)) {
    const content = await contentAfter(person.email, email, 'html', quoting(mail));
    assert.match(content, /Will you come\?/, name);
    assert(!content.includes(key), `${name}: ${content}`);
  }
  const asked = `What is ${mail.stopLink} for? I see it.`;
  assert.equal(await contentAfter(person.email, mail.replyTo, 'plain', asked), 'What is  for? I see it.');
});
