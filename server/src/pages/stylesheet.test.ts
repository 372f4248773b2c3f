import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { STYLESHEET } from './stylesheet.ts';

const appSheet = (name: string) =>
  readFile(join(import.meta.dirname, '../../../web/src/design', name), { encoding: 'utf8' });

/** The custom properties of the first `:root` of a style sheet. */
function tokensIn(css: string): ReadonlyMap<string, string> {
  const root = /:root \{(.*?)\n\}/s.exec(css)?.[1] ?? '';
  const pairs = root.matchAll(/(--[\w-]+):\s*([^;]+);/g);
  return new Map(Array.from(pairs, ([, name = '', value = '']) => [name, value.replace(/\s+/g, ' ')]));
}

test('pages have the tokens of the app', async () => {
  const app = tokensIn(await appSheet('tokens.css'));
  const pages = tokensIn(STYLESHEET);
  assert(pages.size > 20);
  for (const [name, value] of pages) assert.equal(value, app.get(name), name);
});

test('until the font is there, pages have the fallback of the app', async () => {
  const fallbackIn = (css: string) => /@font-face \{\s*font-family: "Inter Fallback";.*?\}/s.exec(css)?.[0];
  assert.equal(fallbackIn(STYLESHEET), fallbackIn(await appSheet('inter.css')));
});
