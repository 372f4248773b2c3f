import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownOf } from './slack-markup.ts';

const references = {
  mention: (key: string) => (key === 'U1' ? '@**Ada|10**' : undefined),
  groupMention: () => undefined,
  mentionByName: () => undefined,
  channel: (key: string) => (key === 'C1' ? '#**square**' : undefined),
  channelByName: () => undefined,
  message: (key: string) => (key === 'C1 1700000000.000100' ? '/#narrow/channel/1-square/near/7' : undefined),
  file: () => undefined,
};

test('mrkdwn becomes Markdown', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['*bold* and _italic_ and ~gone~', '**bold** and *italic* and ~~gone~~'],
    ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name'],
    ['_*both*_', '***both***'],
    ['<@U1> and <@U2|bo> and <@U3>', '@**Ada|10** and @bo and @U3'],
    ['<#C1|square> and <#C2|attic>', '#**square** and #attic'],
    ['<!channel> <!here> <!subteam^S1|@weavers>', '@**all** @**all** @weavers'],
    ['<https://example.com/?a=1&amp;b=2>', 'https://example.com/?a=1&b=2'],
    ['<https://example.com|a [site]>', '[a \\[site\\]](https://example.com)'],
    ['<https://example.com|Warp | Weft>', '[Warp &#124; Weft](https://example.com)'],
    ['| <@U1> | b |\n| --- | --- |\n| `x|y` | d |', '| @**Ada** | b |\n| --- | --- |\n| `x|y` | d |'],
    ['<mailto:ada@example.com|ada@example.com>', 'ada@example.com'],
    ['<https://team.slack.com/archives/C1/p1700000000000100|earlier>', '[earlier](/#narrow/channel/1-square/near/7)'],
    ['<https://team.slack.com/archives/C9/p1700000000000100>', 'https://team.slack.com/archives/C9/p1700000000000100'],
    ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
    ['`a *b* &lt;c&gt;`', '`a *b* <c>`'],
    ['see ```x = *y*\nz``` end', 'see \n```\nx = *y*\nz\n```\n end'],
    ['• one\n• two', '* one\n* two'],
    [':wave::skin-tone-3:', ':wave:'],
  ];
  for (const [from, to] of cases) assert.equal(markdownOf(from, references), to, from);
});

test('hostile texts take linear time', () => {
  for (const part of ['*a', '_a ', '<@', '`', '```', '~ ', '<a|', '&lt;', '* _~']) {
    assert.equal(typeof markdownOf(part.repeat(20_000), references), 'string');
  }
});
