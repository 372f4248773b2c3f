import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Payload } from '../../payload.ts';
import { documentText, fromWiki } from './wiki.ts';

// rules: webhooks-15
test('the formatting of Jira becomes Markdown', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['*bold* and _italic_ and -gone- and +new+', '**bold** and *italic* and ~~gone~~ and new'],
    ['2*3*4 snake_case_name well-known-word', '2*3*4 snake_case_name well-known-word'],
    ['h2. A *title*\ntext', '## A **title**\ntext'],
    ['* one\n** two\n# first\n## second\n- dash', '* one\n  * two\n1. first\n  1. second\n* dash'],
    [
      'See [the loom|https://loom.example.org/a?b=1] or [https://e.org/x].',
      'See [the loom](https://loom.example.org/a?b=1) or https://e.org/x.',
    ],
    ['[~ada] and [~accountid:5b10a2844c20165700ede21g] {{x = *1*}}', '@ada and @Ada Weber `x = *1*`'],
    ['{code:java}\nint *a* = 1;\n{code}\nafter', '```java\nint *a* = 1;\n```\nafter'],
    ['{code:title=Foo.java|language=ts}x{code}', '```ts\nx\n```'],
    ['{noformat}\n*raw*\n{noformat}', '```\n*raw*\n```'],
    ['{quote}\nwhy?\n{quote}\nbecause', '> why?\n\nbecause'],
    ['{quote}why?{quote}', '> why?'],
    ['{quote}why?{quote} because', '> why?\n\n because'],
    ['bq. said *he*', '> said **he**'],
    ['||a||b||\n|1|*2*|', '| a | b |\n| --- | --- |\n| 1 | **2** |'],
    ['{color:red}red{color} !image.png|thumbnail! ----', 'red (image.png) ----'],
    ['----', '---'],
    ['{panel:title=Note}\ntext{panel}', '**Note**\ntext'],
    ['\\*no bold\\*', '&#42;no bold&#42;'],
    ['{*}bold{*}, {_}italic{_}, {-}gone{-}, {+}new{+}', '**bold**, *italic*, ~~gone~~, new'],
    ['wo{*}r{*}d, {*}space {*}after, *{_}both{_}*, one {*}', 'wo**r**d, **space** after, ***both***, one *'],
  ];
  const names = new Map([['5b10a2844c20165700ede21g', 'Ada Weber']]);
  for (const [wiki, markdown] of cases) assert.equal(fromWiki(wiki, names), markdown, wiki);
});

// rules: webhooks-15
test('a document of Jira becomes Markdown', () => {
  const text = (value: string, ...marks: readonly string[]) => ({
    type: 'text',
    text: value,
    marks: marks.map((type) => ({ type })),
  });
  const paragraph = (...content: readonly unknown[]) => ({ type: 'paragraph', content });
  const item = (value: string) => ({ type: 'listItem', content: [paragraph(text(value))] });
  const content = [
    { type: 'heading', attrs: { level: 3 }, content: [text('Picks')] },
    paragraph(
      text('It '),
      text('stops', 'strong'),
      { type: 'hardBreak' },
      { type: 'mention', attrs: { id: '1', text: '@Ada Weber' } },
    ),
    { type: 'bulletList', content: [item('one'), item('two')] },
    { type: 'codeBlock', attrs: { language: 'ts' }, content: [text('a * b')] },
    { type: 'blockquote', content: [paragraph(text('why?'))] },
    paragraph(text('very ', 'strong'), text('hot')),
    { type: 'mediaSingle', content: [{ type: 'media', attrs: { type: 'file', id: 'x', alt: 'loom.png' } }] },
    { type: 'expand', attrs: { title: 'Log' }, content: [paragraph(text('line'))] },
  ];
  assert.equal(
    documentText(new Payload({ type: 'doc', version: 1, content })),
    '### Picks\n\nIt **stops**\n@Ada Weber\n\n* one\n* two\n\n```ts\na * b\n```\n\n> why?\n\n**very** hot\n\n(loom.png)\n\n**Log**\n\nline',
  );
});
