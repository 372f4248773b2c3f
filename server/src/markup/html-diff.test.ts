import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from 'htmlparser2';
import { fc } from '../testing/random/property.ts';
import { htmlDifferences, renderMessage } from './index.ts';

const render = (source: string) =>
  renderMessage(
    source,
    { userById: () => undefined, usersByName: () => [], channelByName: () => undefined },
    { allowWildcardMentions: false, organizationUrl: 'https://chat.example.com' },
  ).html;
const differences = (before: string, after: string) => htmlDifferences(render(before), render(after));
const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;
const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;

test('an inserted word precedes the word that it replaces', () => {
  assert.equal(
    differences('content before edit', 'content after edit'),
    `<div><p>content ${inserted('after')} ${deleted('before')} edit</p></div>`,
  );
});

test('insertions and deletions are marked', () => {
  assert.equal(differences('a b', 'a new b'), `<div><p>a ${inserted('new')} b</p></div>`);
  assert.equal(differences('a old b', 'a b'), `<div><p>a ${deleted('old')}b</p></div>`);
  assert.equal(differences('same', 'same'), '<div><p>same</p></div>');
});

test('marks are inside elements, and deleted elements leave their text', () => {
  assert.equal(differences('a', 'a\n\nb'), `<div><p>a</p>\n<p>${inserted('b')}</p></div>`);
  assert.equal(differences('a\n\n* b\n* c', 'a'), `<div><p>a</p>${deleted('b \n c')}</div>`);
});

test('texts without common words are compared in bounded time', () => {
  const words = (letter: string) => Array.from({ length: 2000 }, (_, index) => `${letter}${index}`).join(' ');
  const html = differences(words('a'), words('b'));
  assert(html.includes('highlight_text_deleted') && html.includes('highlight_text_inserted'));
});

/** Removes the marks, keeping elements and text. */
function outline(html: string): string {
  return html.replaceAll(/<span class="highlight_text_\w+">(.*?)<\/span>/gs, '$1');
}

test('for any edit, the result contains the whole new message in order, with the deletions in between', () => {
  const piece = fc.constantFrom(
    'word',
    '**bold**',
    '*slanted*',
    '\n\n',
    '* point\n',
    '`code`',
    '> quote\n',
    ':smile:',
    '<b>&',
  );
  const source = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' '));
  fc.assert(
    fc.property(source, source, (before, after) => {
      const html = differences(before, after);
      assert.equal(parseDocument(html).children.length, 1);
      const kept = html.replaceAll(/ ?<span class="highlight_text_deleted">.*?<\/span>/gs, '');
      assert.equal(outline(kept).replaceAll(' ', ''), `<div>${render(after)}</div>`.replaceAll(' ', ''));
    }),
  );
});

test('texts with more than two hundred differences are marked completely', () => {
  const text = (other: number) =>
    Array.from({ length: 300 }, (_, at) => (at < other ? `other${at}` : `word${at}`)).join(' ');
  assert.match(htmlDifferences(text(0), text(100)), /<\/span> word100 /);
  assert.doesNotMatch(htmlDifferences(text(0), text(101)), /<\/span> word101 /);
});
