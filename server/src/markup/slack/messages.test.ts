import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownOf } from '@heddle/operator/import/slack/slack-markup.ts';
import { mrkdwnOfMessage } from './messages.ts';

const references = {
  mention: (key: string) => (key === 'U1' ? '@**Ada|10**' : undefined),
  groupMention: () => undefined,
  mentionByName: () => undefined,
  channel: (key: string) => (key === 'C1' ? '#**square**' : undefined),
  channelByName: () => undefined,
  message: () => undefined,
  file: () => undefined,
};

const shown = (message: object, isByPerson = false) =>
  markdownOf(mrkdwnOfMessage({ ...message }, isByPerson), references);

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const words = (...elements: readonly object[]) => ({ type: 'rich_text_section', elements });
const richText = (...elements: readonly object[]) => ({ type: 'rich_text', elements });
const text = (content: string, style?: object) => ({ type: 'text', text: content, style });

test('blocks replace the text, except that a person has written', () => {
  const blocks = [section('from a *block*')];
  assert.equal(shown({ text: 'for notifications', blocks }), 'from a **block**');
  assert.equal(shown({ text: "This content can't be displayed.", blocks }, true), 'from a **block**');
  const typed = [richText(words(text('typed')))];
  assert.equal(shown({ text: 'typed, as mrkdwn', blocks: typed }, true), 'typed, as mrkdwn');
  assert.equal(shown({ text: '', blocks: typed }, true), 'typed');
  assert.equal(shown({ text: 'text', blocks: [{ type: 'input' }] }), 'text');
});

test('a section has its text, its fields and its picture; buttons with an address are links', () => {
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Head *x*' } },
    {
      ...section('body'),
      fields: [{ type: 'mrkdwn', text: '*Host*\ndb1' }],
      accessory: { type: 'image', image_url: 'https://x.example/a.png', alt_text: 'graph' },
    },
    {
      type: 'actions',
      elements: [
        { type: 'button', text: { text: 'Open' }, url: 'https://x.example/?a=1&b=2' },
        { type: 'button', text: { text: 'Do' } },
      ],
    },
  ];
  assert.equal(
    shown({ blocks }),
    '**Head &#42;x&#42;**\n\nbody\n\n* **Host**\n  db1\n\n[graph](https://x.example/a.png)\n\n[Open](https://x.example/?a=1&b=2)',
  );
});

test('attachments have their author, title, text, fields, picture, blocks and footer', () => {
  const attachment = {
    ...{ author_name: 'Ada', title: 'High &amp; low', title_link: 'https://x.example', text: 'cpu &gt; *90%*' },
    ...{ fields: [{ title: 'Host', value: '`db1`' }], image_url: 'https://x.example/a.png', footer: 'Prometheus' },
    fallback: 'not shown',
  };
  assert.equal(
    shown({ attachments: [attachment] }),
    'Ada\n\n[High & low](https://x.example)\n\ncpu > **90%**\n\n* **Host**: `db1`\n\n[image](https://x.example/a.png)\n\nPrometheus',
  );
  const fallback = '[no preview available]';
  assert.equal(shown({ attachments: [{ fallback, blocks: [section('passed')] }] }), 'passed');
  assert.equal(shown({ attachments: [{ fields: [{ title: 'Only', value: 'fields' }] }] }), '* **Only**: fields');
  assert.equal(shown({ attachments: [{ fallback: 'all' }] }), 'all');
  for (const ts of [1_700_000_000, '1700000000.123'])
    assert.equal(shown({ attachments: [{ text: 'x', footer: 'CI', ts }] }), 'x\n\nCI · <time:2023-11-14T22:13:20Z>');
  for (const ts of [0, 'soon', 1e300, null, {}])
    assert.equal(shown({ attachments: [{ text: 'x', footer: 'CI', ts }] }), 'x\n\nCI');
});

test('a button of an attachment is a link if it has an address', () => {
  const actions = [
    { type: 'button', text: 'Runbook &amp; more', url: 'https://x.example/run?a=1&amp;b=2' },
    { type: 'button', text: 'Silence', url: 'https://x.example/silence' },
    { type: 'button', text: 'Acknowledge', name: 'ack', value: '1' },
  ];
  const buttons = '[Runbook & more](https://x.example/run?a=1&b=2) [Silence](https://x.example/silence)';
  assert.equal(shown({ attachments: [{ text: 'down', actions, footer: 'f' }] }), `down\n\n${buttons}\n\nf`);
  assert.equal(shown({ attachments: [{ fallback: 'all', actions }] }), `all\n\n${buttons}`);
});

test('a table keeps its cells, their styles and the alignment of its columns', () => {
  const rows = [
    [
      { type: 'raw_text', text: 'Loom' },
      { type: 'raw_text', text: 'Picks' },
    ],
    [{ type: 'raw_text', text: 'a|b\n@**all**' }, richText(words(text('240', { bold: true }), text(' a|b\nc')))],
    [{ type: 'raw_number', value: 7 }],
  ];
  const table = { type: 'table', rows, column_settings: [{}, { align: 'right' }] };
  assert.equal(
    shown({ blocks: [section('today'), table] }),
    [
      'today\n',
      '| Loom | Picks |',
      '| --- | ---: |',
      '| a&#124;b @&#42;&#42;all&#42;&#42; | **240** a&#124;b c |',
      '| 7 |  |',
    ].join('\n'),
  );
  assert.equal(shown({ attachments: [{ fallback: '[no preview available]', blocks: [table] }] }).split('\n').length, 4);
  const long = Array.from({ length: 203 }, () => [{ type: 'raw_text', text: 'x' }]);
  assert(shown({ blocks: [{ type: 'table', rows: long }] }).endsWith('\n| x |\n\n… and 3 more rows'));
  for (const other of [undefined, [], [[]], [null], 'x', [[], 'x']]) {
    assert.equal(shown({ text: 'text', blocks: [{ type: 'table', rows: other }] }), 'text');
  }
});

test('of a block of another kind, its texts, pictures, links and inner blocks are shown', () => {
  const card = {
    type: 'card',
    icon: { type: 'image', image_url: 'https://x.example/i.png', alt_text: 'icon' },
    hero_image: { type: 'image', image_url: 'https://x.example/h.png', alt_text: 'loom' },
    title: { type: 'mrkdwn', text: '*Treadle*' },
    body: { type: 'plain_text', text: 'a *b*' },
    actions: [
      { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://x.example' },
      { type: 'button', text: { type: 'plain_text', text: 'Do' } },
    ],
  };
  const expected = '[loom](https://x.example/h.png)\n\n**Treadle**\n\na &#42;b&#42;\n\n[Open](https://x.example)';
  assert.equal(shown({ blocks: [{ type: 'carousel', elements: [card] }] }), expected);
  const task = { type: 'task_card', title: 'Weave', details: richText(words(text('slowly'))), status: 'complete' };
  const plan = { type: 'plan', title: 'Plan *1*', tasks: [task] };
  assert.equal(shown({ blocks: [plan] }), 'Plan &#42;1&#42;\n\nWeave\n\nslowly');
  const input = { type: 'input', label: { type: 'plain_text', text: 'Name' } };
  const feedback = { type: 'context_actions', elements: [{ type: 'feedback_buttons', text: { text: 'Good' } }] };
  assert.equal(shown({ text: 'text', blocks: [input, feedback] }), 'text');
  let nested: object = section('deep');
  for (let level = 0; level < 10_000; level++) nested = { type: 'container', blocks: [nested] };
  assert.equal(shown({ text: 'text', blocks: [nested] }), 'text');
});

test('a shared message is a quote with its author and its address', () => {
  const shared = { author_name: 'Bob', from_url: 'https://x.slack.com/archives/C1/p1', text: 'words ```a\nb```\nmore' };
  const attachments = [{ is_share: true, ...shared }, { text: 'other' }];
  assert.equal(
    shown({ text: 'look', attachments }),
    'look\n\n**Bob** [said](https://x.slack.com/archives/C1/p1):\n> words\n> ```\n> a\n> b\n> ```\n> more\n\nother',
  );
  const inner = [{ message: { blocks: [section('inner')] } }];
  assert.equal(shown({ attachments: [{ is_msg_unfurl: true, message_blocks: inner }] }), 'said:\n> inner');
});

test('formatted text keeps mentions, links, styles, lists, quotes and code', () => {
  const line = words(
    ...[
      text('Hey '),
      { type: 'user', user_id: 'U1' },
      text(' bold ', { bold: true }),
      text('un'),
      text('able', { italic: true }),
    ],
    ...[
      { type: 'emoji', name: 'wave' },
      { type: 'link', url: 'https://x.example', text: 'site' },
    ],
    ...[{ type: 'channel', channel_id: 'C1' }, text(' '), { type: 'broadcast', range: 'here' }, text(' *x* a_b `')],
  );
  const item = (content: string) => words(text(content));
  const blocks = [
    richText(
      line,
      { type: 'rich_text_list', style: 'bullet', elements: [item('one'), item('two')] },
      { type: 'rich_text_list', style: 'ordered', indent: 1, offset: 2, elements: [item('sub')] },
      { type: 'rich_text_quote', elements: [text('q1\nq2')] },
      { type: 'rich_text_preformatted', elements: [text('a ``` *b* &amp;')] },
    ),
  ];
  assert.equal(
    shown({ blocks }, true),
    [
      'Hey @**Ada|10** **bold** un*able*:wave:[site](https://x.example) #**square** @**all** &#42;x&#42; a_b &#96;',
      '* one\n* two\n    3. sub\n> q1\n> q2\n\n````\na ``` *b* &amp;\n````',
    ].join('\n'),
  );
});

test('values of other types count as missing', () => {
  for (const value of [
    null,
    1,
    'text',
    [],
    {},
    [null],
    [[]],
    [{ type: 'rich_text', elements: [null, { elements: [1] }] }],
  ]) {
    assert.equal(typeof mrkdwnOfMessage({ text: value, blocks: value, attachments: value }, false), 'string');
    assert.equal(
      typeof mrkdwnOfMessage({ attachments: [{ blocks: value, fields: value, message_blocks: value }] }, true),
      'string',
    );
  }
});
