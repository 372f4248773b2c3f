import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OwnHosts } from './zulip-links.ts';
import { markdownOf } from './zulip-markup.ts';

const number = (ids: Readonly<Record<string, number>>) => (key: string) =>
  Object.hasOwn(ids, key) ? ids[key] : undefined;
const references = {
  mention: (key: string) => (key === '12' ? '@**Bo|2**' : undefined),
  groupMention: () => undefined,
  mentionByName: () => undefined,
  channel: () => undefined,
  channelByName: () => undefined,
  message: () => undefined,
  userId: number({ 11: 8, 12: 2 }),
  channelId: number({ 31: 1 }),
  messageId: number({ 1001: 5 }),
  file: (key: string) => (key === '5/ab/cd/photo.png' ? '/user_uploads/1/xy/photo.png' : undefined),
};
const names = { groupKey: () => undefined, isOwnHost: (host: string) => host === 'old.example.com' };

function checkCases(cases: readonly (readonly [string, string])[]): void {
  for (const [from, to] of cases) assert.equal(markdownOf(from, references, names), to, from);
}

const own = 'https://old.example.com';
const other = 'https://chat.example.org';
const written = '#narrow/stream/31-square/topic/a.2Eb/near/1001';
const address = '/#narrow/channel/1-square/topic/a.2Eb/near/5';

test('links of the own host and relative links get the ids of this organization', () => {
  checkCases([
    [`[said](${own}/${written}): x`, `[said](${address}): x`],
    [`[said](/${written}) [said](${written})`, `[said](${address}) [said](${address})`],
    [`[dm](${own}/#narrow/dm/11,12-dm/near/1001)`, '[dm](/#narrow/dm/2,8-dm/near/5)'],
    [`[old](${own}/#narrow/pm-with/12-Bo)`, '[old](/#narrow/dm/2-Bo)'],
    [
      `[topic](${own}/#narrow/channel/31-square/topic/x/with/1001)`,
      '[topic](/#narrow/channel/1-square/topic/x/with/5)',
    ],
    [`[starred](${own}/#narrow/is/starred)`, '[starred](/#narrow/is/starred)'],
    [`![p](${own}/user_uploads/5/ab/cd/photo.png)`, '![p](/user_uploads/1/xy/photo.png)'],
    ['[p](user_uploads/5/ab/cd/photo.png)', '[p](/user_uploads/1/xy/photo.png)'],
    [`\`\`\`quote\n[p](/user_uploads/5/ab/cd/photo.png)\n\`\`\``, '```quote\n[p](/user_uploads/1/xy/photo.png)\n```'],
  ]);
});

test('an address of the own host without Markdown stays a link', () => {
  checkCases([
    [`see ${own}/${written}, please.`, `see [${address}](${address}), please.`],
    [`(${own}/user_uploads/5/ab/cd/photo.png)`, '([photo.png](/user_uploads/1/xy/photo.png))'],
    [`[${own}/${written}](${own}/${written})`, `[${own}/${written}](${address})`],
  ]);
});

test('links of other servers and code stay as they are', () => {
  const texts = [
    `${other}/${written} [x](${other}/${written})`,
    `${other}/user_uploads/5/ab/cd/photo.png`,
    `${other}/files/user_uploads/5/ab/cd/photo.png`,
    `${other}/?next=/${written}`,
    `https://old.example.com.evil.example/${written}`,
    `\`${own}/${written} @**Bo|12**\``,
    `\`\`\`\n${own}/${written}\n\`\`\``,
    `\`\`\`quote\n~~~\n@**Bo|12**\n~~~\n\`\`\``,
  ];
  checkCases(texts.map((text) => [text, text]));
});

test('a link to an unknown message leads to its conversation, and one to an unknown channel stays', () => {
  checkCases([
    [`[x](${own}/#narrow/channel/31-square/topic/x/near/9)`, '[x](/#narrow/channel/1-square/topic/x)'],
    [`[x](${own}/#narrow/channel/9-gone/topic/x/near/1001)`, `[x](${own}/#narrow/channel/9-gone/topic/x/near/1001)`],
    ['#**square>a b@1001** #**square>a@9** #**square>me@home**', '#**square>a b@5** #**square>a** #**square>me@home**'],
  ]);
});

test('the HTML of messages shows which hosts are own ones, and else the name of the organization does', () => {
  const hosts = new OwnHosts('loom');
  assert.deepEqual(
    ['loom.example.com', 'bloom.example.com', 'x.loom.com'].map((host) => hosts.has(host)),
    [true, false, false],
  );
  assert.equal(new OwnHosts('').has('.example.com'), false);
  hosts.note(`${other}/${written}`, `<p><a href="${other}/${written}">x</a></p>`);
  assert.equal(hosts.has('chat.example.org'), false);
  hosts.note(`see ${own}/${written}.`, `<p>see <a href="/${written}">x</a>.</p>`);
  assert.deepEqual(
    ['old.example.com', 'loom.example.com'].map((host) => hosts.has(host)),
    [true, false],
  );
});

test('hostile texts take linear time', () => {
  const parts = [
    '@**',
    '#**a>',
    '#**a>@1',
    'https://',
    '#narrow/',
    ' #narrow/.',
    'user_uploads/1',
    '](',
    '`',
    '```\n',
    '@*a',
    '#narrow/dm/1,',
  ];
  for (const part of parts) {
    const text = part.repeat(50_000);
    assert.equal(typeof markdownOf(text, references, names), 'string');
    new OwnHosts('x').note(text, text);
  }
});
