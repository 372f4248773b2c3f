import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDirectory, sampleOptions } from '../testing/model/sample-directory.ts';
import { renderMessage } from './index.ts';

const render = (source: string) => renderMessage(source, sampleDirectory, sampleOptions);
const HAMLET = '<span class="user-mention" data-user-id="5">@King Hamlet</span>';
const QUIET_HAMLET = '<span class="user-mention silent" data-user-id="5">King Hamlet</span>';

test('a full name between two stars is a mention', () => {
  const { html, mentionedUserIds } = render('hi @**King Hamlet**, hi');
  assert.equal(html, `<p>hi ${HAMLET}, hi</p>`);
  assert.deepEqual(mentionedUserIds, [5]);
});

test('the name ignores case and is shown as stored', () => {
  assert.equal(render('@**king hamlet**').html, `<p>${HAMLET}</p>`);
});

test('each mentioned user is listed once, in order', () => {
  assert.deepEqual(render('@**Iago** @**King Hamlet** @**Iago**').mentionedUserIds, [6, 5]);
});

test('an unknown name is strong text', () => {
  const { html, mentionedUserIds } = render('@**Nobody**');
  assert.equal(html, '<p>@<strong>Nobody</strong></p>');
  assert.deepEqual(mentionedUserIds, []);
});

test('a name shared by two users requires an id', () => {
  assert.equal(render('@**Twin**').html, '<p>@<strong>Twin</strong></p>');
  assert.equal(render('@**Twin|8**').html, '<p><span class="user-mention" data-user-id="8">@Twin</span></p>');
});

test('an id requires its own name or no name', () => {
  assert.equal(render('@**Iago|5**').html, '<p>@<strong>Iago|5</strong></p>');
  assert.equal(render('@**King Hamlet|5**').html, `<p>${HAMLET}</p>`);
  assert.equal(render('@**|5**').html, `<p>${HAMLET}</p>`);
  assert.equal(render('@**|99**').html, '<p>@<strong>|99</strong></p>');
});

test('a silent mention notifies nobody and has no at sign', () => {
  const { html, mentionedUserIds } = render('@_**King Hamlet** @_**King Hamlet|5**');
  assert.equal(html, `<p>${QUIET_HAMLET} ${QUIET_HAMLET}</p>`);
  assert.deepEqual(mentionedUserIds, []);
});

test('a mention of a deactivated user is silent', () => {
  const { html, mentionedUserIds } = render('@**Yorick**');
  assert.equal(html, '<p><span class="user-mention silent" data-user-id="9">Yorick</span></p>');
  assert.deepEqual(mentionedUserIds, []);
});

test('names are escaped', () => {
  const { html } = render('@**<b>&"**');
  assert.equal(html, '<p><span class="user-mention" data-user-id="10">@&lt;b&gt;&amp;"</span></p>');
});

for (const name of ['all', 'everyone', 'channel', 'stream']) {
  test(`@${name} mentions the channel`, () => {
    const loud = render(`@**${name}**`);
    assert.equal(
      loud.html,
      `<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@${name}</span></p>`,
    );
    assert.equal(loud.mentionsChannel, true);
    const silent = render(`@_**${name}**`);
    assert.equal(
      silent.html,
      `<p><span class="user-mention channel-wildcard-mention silent" data-user-id="*">${name}</span></p>`,
    );
    assert.equal(silent.mentionsChannel, false);
  });
}

test('@topic mentions the topic', () => {
  const loud = render('@**topic**');
  assert.equal(loud.html, '<p><span class="topic-mention">@topic</span></p>');
  assert.deepEqual([loud.mentionsTopic, loud.mentionsChannel], [true, false]);
  const silent = render('@_**topic**');
  assert.equal(silent.html, '<p><span class="topic-mention silent">topic</span></p>');
  assert.equal(silent.mentionsTopic, false);
});

test('without a channel, wildcard mentions are text', () => {
  const direct = renderMessage('@**all** @**topic** @**Iago**', sampleDirectory, {
    ...sampleOptions,
    allowWildcardMentions: false,
  });
  assert.equal(
    direct.html,
    '<p>@<strong>all</strong> @<strong>topic</strong> <span class="user-mention" data-user-id="6">@Iago</span></p>',
  );
  assert.deepEqual([direct.mentionsChannel, direct.mentionsTopic], [false, false]);
});

test('one star is a group mention', () => {
  const loud = render('@*hamlet characters*');
  assert.equal(loud.html, '<p><span class="user-group-mention" data-user-group-id="30">@hamlet characters</span></p>');
  assert.deepEqual(loud.mentionedGroupIds, [30]);
  const silent = render('@_*hamlet characters*');
  assert.equal(
    silent.html,
    '<p><span class="user-group-mention silent" data-user-group-id="30">hamlet characters</span></p>',
  );
  assert.deepEqual(silent.mentionedGroupIds, []);
  assert.equal(render('@*no such*').html, '<p>@<em>no such</em></p>');
});

test('mentions of more than a hundred groups are silent, but for those of the first hundred', () => {
  const directory = { ...sampleDirectory, groupByName: (name: string) => ({ id: Number(name), name }) };
  const numbers = Array.from({ length: 150 }, (_, index) => index + 1);
  const source = [...numbers, 1].map((number) => `@*${number}*`).join(' ');
  const { html, mentionedGroupIds } = renderMessage(source, directory, sampleOptions);
  assert.deepEqual(mentionedGroupIds, numbers.slice(0, 100));
  assert.equal(html.split('class="user-group-mention silent"').length - 1, 50);
  assert(html.endsWith('data-user-group-id="1">@1</span></p>'));
});

test('a mention of a deactivated group is always silent', () => {
  const silent = '<span class="user-group-mention silent" data-user-group-id="31">ghosts</span>';
  for (const source of ['@*ghosts*', '@_*ghosts*']) {
    assert.equal(render(source).html, `<p>${silent}</p>`);
    assert.deepEqual(render(source).mentionedGroupIds, []);
  }
});

for (const [quote, source] of [
  ['an arrow quote', '> @**King Hamlet** @**all** @**topic** @*hamlet characters*'],
  ['a quote fence', '```quote\n@**King Hamlet** @**all** @**topic** @*hamlet characters*\n```'],
] as const) {
  test(`in ${quote} every mention is silent`, () => {
    const quoted = render(source);
    assert.ok(quoted.html.includes(QUIET_HAMLET));
    assert.deepEqual(
      [quoted.mentionedUserIds, quoted.mentionedGroupIds, quoted.mentionsChannel, quoted.mentionsTopic],
      [[], [], false, false],
    );
  });
}

test('after a quote mentions are not silent', () => {
  assert.deepEqual(render('> @**Iago**\n\n@**King Hamlet**').mentionedUserIds, [5]);
});

test('code contains no mentions', () => {
  for (const source of ['`@**King Hamlet**`', '```\n@**King Hamlet**\n```', '    @**King Hamlet**']) {
    const { html, mentionedUserIds } = render(source);
    assert.ok(html.includes('@**King Hamlet**'), source);
    assert.deepEqual(mentionedUserIds, [], source);
  }
});

test('spoilers, lists, tables, headings and links can contain mentions', () => {
  for (const source of [
    '```spoiler a\n@**Iago**\n```',
    '* @**Iago**',
    'a | b\n-|-\n@**Iago** | c',
    '# @**Iago**',
    '[@**Iago**](https://x.com)',
    '**(@**Iago**',
  ]) {
    assert.deepEqual(render(source).mentionedUserIds, [6], source);
  }
});

test('a mention cannot start inside a word', () => {
  assert.deepEqual(render('mail@**Iago**').mentionedUserIds, []);
  assert.deepEqual(render('(@**Iago**)').mentionedUserIds, [6]);
  assert.deepEqual(render('"@**King Hamlet**"').mentionedUserIds, [5]);
});
