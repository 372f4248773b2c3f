import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDirectory, sampleOptions } from '../../testing/model/sample-directory.ts';
import { renderMessage } from '../index.ts';
import { type SlackPiece, slackPieces } from './mrkdwn.ts';

const LABELS: Readonly<Record<string, string>> = { U1: '@**Iago|6**', C1: '#**Denmark**', S1: '@*hamlet characters*' };

function shown(piece: SlackPiece): string {
  switch (piece.kind) {
    case 'text':
    case 'verbatim':
      return piece.markdown;
    case 'link':
      return piece.label === undefined && !piece.isEmphasized
        ? piece.url
        : `[${piece.label ?? piece.url}](${piece.url})`;
    case 'everybody':
      return '@**all**';
    case 'name':
      return piece.label;
    default:
      return LABELS[piece.id] ?? piece.label ?? piece.id;
  }
}

const markdownOf = (mrkdwn: string) => slackPieces(mrkdwn).map(shown).join('');
const htmlOf = (mrkdwn: string) => renderMessage(markdownOf(mrkdwn), sampleDirectory, sampleOptions).html;

test('mentions, channels and links keep their meaning in and beside emphasis', () => {
  const mention = '<span class="user-mention" data-user-id="6">@Iago</span>';
  const channel = '<a class="stream" data-stream-id="3" href="/#narrow/channel/3-Denmark">#Denmark</a>'; // wire name: class of the HTML
  const group = '<span class="user-group-mention" data-user-group-id="30">@hamlet characters</span>';
  const link = '<a href="https://x.example">site</a>';
  const cases: readonly (readonly [string, string])[] = [
    ['*<https://x.example|site>*', `<strong>${link}</strong>`],
    ['*_<https://x.example|site>_*', `<strong><em>${link}</em></strong>`],
    ['~<https://x.example>~', '<del><a href="https://x.example">https://x.example</a></del>'],
    ['*see <https://x.example|site>, please*', `<strong>see ${link}, please</strong>`],
    ['*<@U1>* _<#C1|x>_ *_<@U1>_*', `${mention} ${channel} ${mention}`],
    ['*<@U1> did it* and *thanks <@U1>*', `${mention} <strong>did it</strong> and <strong>thanks</strong> ${mention}`],
    ['*hey <@U1>, you*', `<strong>hey ${mention}, you</strong>`],
    ['(*<!subteam^S1>*)', `(${group})`],
    ['hi<@U1>,<@U1>', `hi ${mention}, ${mention}`],
    ['*use `x` now* _`y`_', '<strong>use <code>x</code> now</strong> <em><code>y</code></em>'],
    ['`a`<@U1>', `<code>a</code> ${mention}`],
  ];
  for (const [from, to] of cases) assert.equal(htmlOf(from), `<p>${to}</p>`, from);
});

test('emphasis is at the edges of words', () => {
  for (const text of [
    'snake_case_name __init__',
    '2*3*4 and **dbl**',
    '0 * * * * and */5',
    'https://x.example/_foo_/x',
    '~/x and ~/y',
    '*not bold',
  ]) {
    assert.equal(markdownOf(text), text);
  }
  assert.equal(markdownOf('*a* *b*, _my_name_ (*c*) &gt;*d*'), '**a** **b**, *my_name* (**c**) >**d**');
});

test('blocks of code lose nothing and stand in their own lines', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['Log:\n```first line\nsecond```\nafter', 'Log:\n```\nfirst line\nsecond\n```\nafter'],
    ['```Error: boom\nat line 2```', '```\nError: boom\nat line 2\n```'],
    ['a ```x``` b', 'a \n```\nx\n```\n b'],
    ['`<https://x.example>` ```<https://x.example|label>```', '`https://x.example` \n```\nlabel\n```'],
    ['```open\nend', '```\nopen\nend\n```'],
    ['a ```open', 'a ```open'],
  ];
  for (const [from, to] of cases) assert.equal(markdownOf(from), to, from);
});

test('a quote and a list end where Slack ends them', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['&gt; quoted\n&gt; more\nreply', '> quoted\n> more\n\nreply'],
    ['> raw\nreply', '> raw\n\nreply'],
    ['&gt;&gt;&gt; all\n\nof *it*', '> all\n>\n> of **it**'],
    ['&gt; a ```x\ny``` b\nc', '> a\n> ```\n> x\n> y\n> ```\n>  b\n\nc'],
    ['&gt; • x\n&gt; end', '> * x\n>\n> end'],
    ['• one\n• two\nafter', '* one\n* two\n\nafter'],
    ['1. one\n  more\nafter', '1. one\n  more\n\nafter'],
  ];
  for (const [from, to] of cases) assert.equal(markdownOf(from), to, from);
});

test('nested items keep their level', () => {
  assert.equal(markdownOf('• a\n    ◦ b\n        ▪︎ c\n• d'), '* a\n    * b\n        * c\n* d');
  assert.equal(markdownOf('  • a\n   1. b'), '* a\n    1. b');
});

test('entities show as the characters that Slack shows', () => {
  assert.equal(htmlOf('1 &lt; 2 &amp;&amp; &amp;lt; &amp;#42;'), '<p>1 &lt; 2 &amp;&amp; &amp;lt; &amp;#42;</p>');
});

test('text between angle brackets that is no address stays', () => {
  assert.equal(htmlOf('if a <b and c> d'), '<p>if a &lt;b and c&gt; d</p>');
  assert.equal(htmlOf('<b|label>'), '<p>label</p>');
});
