import assert from 'node:assert/strict';
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
  const id = await server.emptyChannel(server.owner, 'mails', {});
  to = (await server.owner.ok('GET', `/streams/${id}/email_address`)).email;
});
after(() => server.stop());

let sent = 0;

interface Mail {
  readonly from?: string;
  readonly subject?: string;
  readonly type?: 'plain' | 'html';
  readonly body: string;
}

/** The message after a mail of a stranger: its source, its topic and its HTML. */
async function messageAfter({ from = 'Ext Ern <ext@example.org>', subject = 'x', type = 'plain', body }: Mail) {
  sent += 1;
  const head = `From: ${from}\nTo: <${to}>\nSubject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`;
  const more = `Message-ID: <text${sent}@example.org>\nMIME-Version: 1.0\nContent-Type: text/${type}; charset=utf-8`;
  const source = `${head}\n${more}\n\n${body}\n`.replaceAll('\n', '\r\n');
  assert.equal(await deliverMail(port, { from: 'ext@example.org', to }, Buffer.from(source)), 250);
  const newest = async (asHtml: boolean) => {
    const wanted = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: asHtml };
    return (await server.owner.ok('GET', '/messages', wanted)).messages[0];
  };
  const { content, subject: topic } = await newest(false);
  const [writer, ...rest] = content.split('\n\n');
  return { writer, content: rest.join('\n\n'), topic, html: (await newest(true)).content };
}

// rules: mail-22
test('answers between quoted lines stay outside of the quotes', async () => {
  const { content, html } = await messageAfter({ body: '> first?\nyes.\n>\n> second?\nno.' });
  assert.equal(content, '> first?\n\nyes.\n>\n> second?\n\nno.');
  const quote = (text: string) => `<blockquote>\n<p>${text}</p>\n</blockquote>`;
  assert.equal(
    html.slice(html.indexOf('<blockquote>')),
    `${quote('first?')}\n<p>yes.</p>\n${quote('second?')}\n<p>no.</p>`,
  );
  const nested = await messageAfter({ body: '>> warp?\n> weft.\nBoth.\n\n```\n> prompt\noutput\n```' });
  assert.equal(nested.content, '>> warp?\n>\n> weft.\n\nBoth.\n\n```\n> prompt\noutput\n```');
  assert.match(nested.html, /warp\?<\/p>\n<\/blockquote>\n<p>weft\.<\/p>\n<\/blockquote>\n<p>Both\.<\/p>/);
});

const PAGE = `<html><head><style>p { color: red }</style></head><body>
  <div style="display:none">Only in the list of mails</div>
  <table role="presentation"><tr><td><h2>Order <b>42</b></h2></td><td><p>Thank you, <b>Ada</b> and <i>Bea</i>.</p></td></tr></table>
  <ul><li>warp</li><li>weft<ol><li>red</li></ol></li></ul>
  <table><tr><th>Part</th><th>Price</th></tr><tr><td>Heddle</td><td>5 | 6</td></tr></table>
  <pre>a = b
  c</pre>
  <p>See <a href="https://looms.example.org/parts(2)">the parts</a> or <a href="https://looms.example.org/">https://looms.example.org</a>,
  <code>x_y</code> 2*3*4, <a href="javascript:alert(1)">no link</a>, <a href="mailto:bea@example.org">bea@example.org</a></p>
  <blockquote>quoted<br>twice</blockquote><div>one</div><div>two<br><br>three</div>
  <img src="https://pixel.example.org/open.gif" width="1"></body></html>`;

const PAGE_AS_MARKDOWN = `## Order 42

Thank you, **Ada** and *Bea*.

- warp
- weft
  1. red

| Part | Price |
| --- | --- |
| Heddle | 5 \\| 6 |

\`\`\`
a = b
  c
\`\`\`

See [the parts](https://looms.example.org/parts%282%29) or https://looms.example.org/, \`x_y\` 2*3*4, no link, bea@example.org

> quoted
> twice

one
two

three`;

// rules: mail-23
test('a mail that is only HTML becomes Markdown', async () => {
  const { content, html } = await messageAfter({ type: 'html', body: PAGE });
  assert.equal(content, PAGE_AS_MARKDOWN);
  for (const tag of [
    '<strong>Ada',
    '<em>Bea',
    '<li>warp',
    '<table>',
    '<a href="https://looms.example.org/parts%282%29">',
  ])
    assert(html.includes(tag), `${tag} in ${html}`);
  assert(!html.includes('pixel.example.org'));
  const deep = await messageAfter({ type: 'html', body: `${'<div>'.repeat(5000)}deep<p>text` });
  assert.equal(deep.content, 'deep\ntext');
});

// rules: mail-23
test('a sender without a name leaves no gap', async () => {
  const writers = {
    'Ext Ern <ext@example.org>': 'From: Ext Ern ext@example.org',
    'ext@example.org': 'From: ext@example.org',
    '"ext@example.org" <ext@example.org>': 'From: ext@example.org',
    '" * " <ext@example.org>': 'From: ext@example.org',
  };
  for (const [from, writer] of Object.entries(writers))
    assert.equal((await messageAfter({ from, body: 'Hello' })).writer, writer, from);
});

const FOOTERS = [
  'Sent with Proton Mail secure email.',
  'Sent with [Proton Mail](https://proton.me/mail/home) secure\nemail.',
  'Gesendet mit der GMX Mail App',
  'Envoyé avec la messagerie sécurisée Proton Mail.',
  '-- \nSecured with Tuta Mail:\nhttps://tuta.com/free-email',
];

// rules: mail-23
test('footers of mail programs are cut, and quotes below them stay', async () => {
  for (const footer of FOOTERS) {
    assert.equal((await messageAfter({ body: `The offer.\n\n${footer}` })).content, 'The offer.', footer);
    const quote = 'On Fri, Nov 27, 2026, Ada <ada@example.org> wrote:\n\n> Which offer?';
    const { content } = await messageAfter({ body: `The offer.\n\n${footer}\n\n${quote}` });
    assert.equal(content, `The offer.\n\n${quote}`, footer);
  }
  const html = '<p>The offer.</p><p>Sent with <a href="https://proton.me/">Proton Mail</a> secure email.</p>';
  assert.equal((await messageAfter({ type: 'html', body: html })).content, 'The offer.');
  const written = 'Sent with Proton Mail on Monday, says Ada.';
  assert.equal((await messageAfter({ body: written })).content, written);
});

// rules: mail-24
test('a thread is one topic, in the usual languages', async () => {
  const titles = `Re: Looms|Fwd: Looms|AW: WG: Looms|[Fwd: Looms]|[Fwd: Re: Looms]|Looms (fwd)|Re : Re: Looms|RE[2]: Looms|Re(3): Looms
    TR : Looms|SV: VS: Looms|RV: Looms|ENC: Looms|Antw: Looms|Odp: Looms|YNT: İLT: Looms|Vá: Looms|R: Looms|I: Looms|ΑΠ: Looms|Отв: Looms
    回复：Looms|转发: Looms|返信: Looms|회신: Looms|רה: Looms|رد: Looms|Looms`;
  for (const title of titles.split(/\||\n\s*/))
    assert.equal((await messageAfter({ subject: title, body: 'x' })).topic, 'Looms', title);
  const others = {
    '[weavers] Re: Looms': '[weavers] Looms',
    'Re: [weavers] AW: Looms': '[weavers] Looms',
    'Reply: Looms': 'Reply: Looms',
    '[urgent]': '[urgent]',
    'Resolve: x (forward)': 'Resolve: x (forward)',
    'Re:': 'Email with no subject',
  };
  for (const [title, topic] of Object.entries(others))
    assert.equal((await messageAfter({ subject: title, body: 'x' })).topic, topic, title);
});
