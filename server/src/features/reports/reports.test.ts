import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Role } from '../../directory/records.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { archiveChannel } from '../../testing/server/rare-changes.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

let server: TestServer;
let moderator: TestClient;
let author: TestClient;
let reporter: TestClient;
let office: number;
before(async () => {
  server = await startTestServer();
  moderator = await server.user({ name: 'Mona Moderator', role: Role.moderator });
  author = await server.user({ name: 'Sam Spammer' });
  reporter = await server.user({ name: 'Rita Reporter' });
  await author.subscribe('weaving', { principals: [author.userId, reporter.userId] });
  office = await server.emptyChannel(moderator, 'moderators', { invite_only: true });
});
after(() => server.stop());

const SPAM = { report_type: 'spam' };
const silent = ({ name, userId }: TestClient) => `@_**${name}|${userId}**`;

async function enable(channel: number): Promise<void> {
  await server.owner.ok('PATCH', '/realm', { moderation_request_channel_id: channel });
}

/** Returns the newest message in the moderation channel, as Markdown and as HTML. */
async function lastReport(): Promise<{ readonly text: string; readonly html: string; readonly message: Json }> {
  const range = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [{ operator: 'channel', operand: office }] };
  const raw = await moderator.ok('GET', '/messages', { ...range, apply_markdown: false });
  const { messages } = await moderator.ok('GET', '/messages', range);
  return { text: raw.messages[0].content, html: messages[0].content, message: messages[0] };
}

// rules: reports-1, organization-settings-12
test('reports are refused if the organization has no moderation channel', async () => {
  const id = await author.send('weaving', 'looms', 'Buy!');
  const { code, msg } = await reporter.fails('POST', `/messages/${id}/report`, SPAM);
  assert.deepEqual([code, msg], ['BAD_REQUEST', 'Message reporting is not enabled in this organization.']);
});

test('an account reports at most 60 messages an hour, so that it cannot bury the reports of others', async () => {
  const limited = await startTestServer({ environment: { HEDDLE_RATE_LIMITS: 'on' } });
  try {
    const [one, other] = [await limited.user(), await limited.user()];
    const statusOf = async (client: TestClient) => (await client.call('POST', '/messages/1/report', SPAM)).status;
    for (let count = 0; count < 60; count += 1) assert.equal(await statusOf(one), 400);
    assert.deepEqual([await statusOf(one), await statusOf(other)], [429, 400]);
  } finally {
    await limited.stop();
  }
});

// rules: reports-4
test('a report arrives in the moderation channel from the notification bot, with reporter, author, link, reason and notes', async () => {
  await enable(office);
  const id = await author.send('weaving', 'looms', 'Buy **now**!');
  const queues = await Promise.all([moderator, author].map((one) => one.register({ event_types: ['message'] })));
  await reporter.ok('POST', `/messages/${id}/report`, { ...SPAM, description: 'Third time today.' });
  const { text, html, message } = await lastReport();
  assert.equal(message.sender_full_name, 'Notification Bot');
  assert.equal(message.subject, "Sam Spammer's moderation requests");
  assert.equal(
    text,
    [
      `${silent(reporter)} reported #**weaving>looms@${id}** sent by ${silent(author)}.`,
      '',
      '- Reason: **spam**',
      '- Notes:',
      '',
      '> Third time today.',
      '',
      `\`\`\` spoiler **Message sent by ${silent(author)}**`,
      '> Buy **now**!',
      '```',
    ].join('\n'),
  );
  assert.match(html, new RegExp(`href="/#narrow/channel/\\d+-weaving/topic/looms/near/${id}"`));
  assert.match(html, /<div class="spoiler-content".*>\s*<blockquote>\s*<p>Buy <strong>now<\/strong>!<\/p>/);
  const counts = await Promise.all(queues.map(async (queue) => (await queue.now()).length));
  assert.deepEqual(counts, [1, 0]);
});

// rules: reports-4
test('a report of a direct message names its participants, and a report of an inaccessible message is refused', async () => {
  await enable(office);
  const third = await server.user({ name: 'Theo Third' });
  const small = await author.direct([reporter.userId], 'psst');
  await reporter.ok('POST', `/messages/${small}/report`, { report_type: 'harassment' });
  assert.equal(
    (await lastReport()).text.split('\n')[0],
    `${silent(reporter)} reported a DM sent by ${silent(author)}.`,
  );
  const large = await author.direct([reporter.userId, third.userId], 'hey, all');
  await third.ok('POST', `/messages/${large}/report`, { report_type: 'norms' });
  assert.equal(
    (await lastReport()).text.split('\n')[0],
    `${silent(third)} reported a DM sent by ${silent(author)} to ${silent(author)}, ${silent(reporter)}, and ${silent(third)}.`,
  );
  for (const id of [small, 1_000_000]) {
    assert.equal((await third.fails('POST', `/messages/${id}/report`, SPAM)).msg, 'Invalid message(s)');
  }
});

// rules: reports-2, limits-6
test('a report requires a known type; type "other" requires a description, which has a bounded length', async () => {
  await enable(office);
  const id = await author.send('weaving', 'looms', 'Buy!');
  const refusal = async (fields: Json) => (await reporter.fails('POST', `/messages/${id}/report`, fields)).msg;
  assert.equal(await refusal({ report_type: 'other' }), 'An explanation is required.');
  assert.equal(await refusal({ report_type: 'other', description: ' \n' }), 'An explanation is required.');
  assert.equal(
    await refusal({ report_type: 'boring' }),
    'Invalid report_type: Value error, Not in the list of possible values',
  );
  assert.match(await refusal({}), /report_type/);
  assert.match(await refusal({ ...SPAM, description: 'x'.repeat(1001) }), /description/);
  for (const report_type of ['spam', 'harassment', 'inappropriate', 'norms', 'other']) {
    await reporter.ok('POST', `/messages/${id}/report`, { report_type, description: 'x'.repeat(1000) });
  }
});

test('markup of reporter and author stays within its quote, and mentions there notify nobody', async () => {
  await enable(office);
  const fences = '`````\n```\n~~~\n~~~ python\n````` quote\n</blockquote>\r# Not said by the bot\n';
  const id = await author.send('weaving', 'looms', `@**Mona Moderator** @**all**\n${fences}the end`);
  const queue = await moderator.register({ event_types: ['message'] });
  await reporter.ok('POST', `/messages/${id}/report`, { ...SPAM, description: `${fences}that was it` });
  const { html } = await lastReport();
  const [before = '', quote = '', inside = '', after = ''] = partsOf(html);
  assert(before.includes('Reason') && !before.includes('Not said'), html);
  assert(quote.includes('Not said') && quote.includes('that was it'), html);
  assert(inside.includes('Not said') && inside.includes('the end'), html);
  assert.equal(after, '</div></div>', html);
  const [event] = await queue.take(1);
  assert.deepEqual(event.flags, []);
  assert(!/class="user-mention"/.test(html), html);
});

/** Returns the HTML before the quote of the notes, that quote, the quote in the spoiler, and the HTML after it. */
function partsOf(html: string): string[] {
  const match =
    /^(.*?)<blockquote>(.*)<\/blockquote>\s*<div class="spoiler-block">.*?<blockquote>(.*)<\/blockquote>\s*(.*)$/s.exec(
      html,
    );
  return match?.slice(1) ?? [];
}

test('long texts are truncated, markup in names does not break the link, and the topic has a bounded length', async () => {
  await enable(office);
  const long = await author.send('weaving', 'a `*topic*` > [x]', 'x\n'.repeat(4999));
  await reporter.ok('POST', `/messages/${long}/report`, { ...SPAM, description: `${'\n'.repeat(999)}!` });
  const { text, html } = await lastReport();
  assert(text.endsWith('> [message truncated]\n```'), text.slice(-100));
  assert(text.length <= 10_000);
  assert.match(html, new RegExp(`<a href="[^"]*/near/${long}">message ${long}</a>`));
  const wordy = await server.user({ name: 'N'.repeat(100) });
  const id = await wordy.direct([reporter.userId], 'x');
  await reporter.ok('POST', `/messages/${id}/report`, SPAM);
  assert.equal((await lastReport()).message.subject, `${'N'.repeat(57)}...`);
});

// rules: reports-1
test('an archived moderation channel receives no reports', async () => {
  const closed = await server.emptyChannel(server.owner, 'closed office', { invite_only: true });
  await server.owner.ok('PATCH', '/realm', { moderation_request_channel_id: closed });
  await archiveChannel(server, closed);
  const id = await author.send('weaving', 'looms', 'Buy!');
  const { msg } = await reporter.fails('POST', `/messages/${id}/report`, SPAM);
  assert.equal(msg, 'Message reporting is not enabled in this organization.');
});
