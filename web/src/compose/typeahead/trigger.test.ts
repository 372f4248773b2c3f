import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOpeningAt, triggerAt } from './trigger.ts';

const at = (text: string) => {
  const trigger = triggerAt(text, text.length);
  return trigger === undefined ? undefined : `${trigger.kind}:${trigger.query}@${trigger.from}`;
};

test('a mention begins with @ at the beginning of a word, and its query can have spaces', () => {
  assert.equal(at('@'), 'mention:@0');
  assert.equal(at('hi @ada'), 'mention:ada@3');
  assert.equal(at('hi @Ada Love'), 'mention:Ada Love@3');
  assert.equal(at('(@_ad'), 'mention:ad@1');
  assert.equal(triggerAt('@_ad', 4)?.isSilent, true);
  assert.equal(at('@**Ada'), 'mention:Ada@0');
  assert.equal(at('mail@example'), undefined);
  assert.equal(at('@**Ada** '), undefined);
  assert.equal(at('@ ada'), undefined);
  assert.equal(at('@Ada has a very long story'), undefined);
});

test('a channel begins with #, and > continues with its topics', () => {
  assert.equal(at('see #des'), 'channel:des@4');
  assert.equal(at('see #**design>ico'), 'topic:ico@4');
  assert.equal(triggerAt('#**design>', 10)?.channelName, 'design');
  assert.equal(at('see #**design>icons** '), undefined);
  assert.equal(at('# heading'), undefined);
});

test('topics follow #>, and a finished link to a channel with >', () => {
  assert.equal(at('see #>'), 'topic:@4');
  assert.equal(at('see #>ico'), 'topic:ico@4');
  assert.equal(triggerAt('#>', 2)?.channelName, undefined);
  for (const text of ['#**design** >', '#**design**>', '#**design** >new ico']) {
    assert.equal(triggerAt(text, text.length)?.channelName, 'design', text);
    assert.equal(triggerAt(text, text.length)?.from, 0, text);
  }
  assert.equal(at('#**design** > is better'), undefined);
  assert.equal(at('`#>'), undefined);
  const long = 'x'.repeat(60);
  assert.equal(triggerAt(`#**${long}** >ico`, 70)?.channelName, long);
});

test('<time opens the picker outside of words and code', () => {
  assert.equal(timeOpeningAt('at <time', 8), 3);
  assert.equal(timeOpeningAt('<time', 5), 0);
  assert.equal(timeOpeningAt('`<time', 6), undefined);
  assert.equal(timeOpeningAt('```\n<time', 9), undefined);
  assert.equal(timeOpeningAt('x<time', 6), undefined);
  assert.equal(timeOpeningAt('<times', 6), undefined);
});

test('an emoji needs two characters, so that smileys and times are no emoji', () => {
  assert.equal(at(':th'), 'emoji:th@0');
  assert.equal(at(':)'), undefined);
  assert.equal(at('at 10:30'), undefined);
  assert.equal(at(':thumbs_up:'), undefined);
});

// Alternatives of spaces in the expression would try more ways to read such a line than a computer can.
test('nothing is completed in a line that begins with many spaces or quote marks', () => {
  assert.equal(at(`${' '.repeat(5)}> > \`\`\`py`), 'language:py@12');
  assert.equal(at(`text\n${'> '.repeat(5)}~~~ js`), 'language:js@19');
  for (const start of [' '.repeat(80), '> '.repeat(80)]) {
    assert.equal(at(`${start}x`), undefined);
    assert.equal(at(`${start}x\n\`\`\`\n${start}@a`), undefined);
  }
});

test('a language follows the fence that opens a block, not the one that closes it', () => {
  assert.equal(at('text\n```pyt'), 'language:pyt@8');
  assert.equal(at('~~~ js'), 'language:js@4');
  assert.equal(at('```\ncode\n```'), undefined);
});

test('a command is the beginning of the message', () => {
  assert.equal(at('/po'), 'command:po@0');
  assert.equal(at('either /or'), undefined);
  assert.equal(at('one\n/po'), undefined);
});

test('code has no suggestions, quotes and spoilers have', () => {
  assert.equal(at('`@ada'), undefined);
  assert.equal(at('```js\n@decorator'), undefined);
  assert.equal(at('```quote\n@ada'), 'mention:ada@9');
});

test('the text behind the cursor does not matter', () => {
  assert.equal(triggerAt('hi @ad and more', 6)?.query, 'ad');
});
