import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfHtml } from './html-text.ts';

// rules: webhooks-15
test('HTML of services becomes text with its lines, lists, links and pictures', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['plain &amp; simple', 'plain & simple'],
    ['<div>one</div><div>two<br>three</div>', 'one\ntwo\nthree'],
    ['<ul><li>one</li><li>two</li></ul>', '* one\n* two'],
    ['<style>p{}</style><p>Köln</p>', 'Köln'],
    [
      'see <a href="https://loom.example.org/a?b=1&amp;c=(2)">the [loom] </a>now',
      'see [the &#91;loom&#93;](https://loom.example.org/a?b=1&c=%282%29) now',
    ],
    ['<a href="https://loom.example.org">https://loom.example.org</a>', 'https://loom.example.org'],
    ['<a href="javascript:alert(1)">x</a> <a name="y">z</a> <a href="https://e.org"></a>', 'x z'],
    ['<img src="https://e.org/1.png" alt="a loom"><img src="cid:1">', '[a loom](https://e.org/1.png)picture'],
  ];
  for (const [html, text] of cases) assert.equal(textOfHtml(html), text, html);
});
