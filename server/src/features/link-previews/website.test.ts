import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parser } from 'htmlparser2';
import { oembedAddress, websiteOfOembed } from './oembed.ts';
import { websiteOf } from './website.ts';

const url = new URL('https://example.com/articles/1');

// rules: link-previews-3
test('Open Graph comes first, then the title and the description of the page', async () => {
  const head = '<title> A\n title </title><meta name="Description" content="d">';
  assert.deepEqual(await websiteOf(head, url), { title: 'A title', description: 'd', imageUrl: undefined });
  const graph = `${head}<meta property="og:title" content="T"><meta name="twitter:image" content="../i.png">`;
  assert.deepEqual(await websiteOf(graph, url), {
    title: 'T',
    description: 'd',
    imageUrl: 'https://example.com/i.png',
  });
  assert.equal(await websiteOf('<meta property="og:image" content="/i.png">', url), undefined);
  assert.equal(await websiteOf('<body><title>late</title>', url), undefined);
});

test('titles and descriptions lose characters that turn the direction of text', async () => {
  const head = '<title>\u202eexe\u202c \u2067x\u2069 \u200fב</title><meta name="description" content="\u202dd">';
  assert.deepEqual(await websiteOf(head, url), { title: 'exe x \u200fב', description: 'd', imageUrl: undefined });
});

// rules: link-previews-4
test('no page holds the event loop, whatever it contains', async (t) => {
  const length = 512 * 1024;
  // The time that the parser takes for one of these pieces grows with the number of open tags.
  const [maxPieceLength, maxTags] = [16 * 1024, 3000];
  const write = t.mock.method(Parser.prototype, 'write');
  const openTag = t.mock.method(Parser.prototype, 'onopentagend');
  const parts = [
    '<b>',
    '<a ',
    '&amp',
    '<!--',
    '<title>',
    '<meta property="',
    '<meta content="x" property="y">',
    '</b>',
    '<svg><style>',
    ']]>',
  ];
  for (const part of parts) {
    const page = part.repeat(length / part.length);
    write.mock.resetCalls();
    openTag.mock.resetCalls();
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await websiteOf(page, url);
    isOver = true;
    const pieces = write.mock.calls.map(({ arguments: [piece] }) => piece);
    assert(
      pieces.length > 0 && pieces.every((piece) => piece.length <= maxPieceLength),
      `${part}: a piece is too long`,
    );
    assert(turns >= pieces.length, `${part}: ${pieces.length} pieces in ${turns} turns`);
    const tags = openTag.mock.callCount();
    assert(tags <= maxTags + maxPieceLength / 3, `${part}: the parser goes on after ${tags} tags`);
  }
});

// rules: link-previews-3
test('services of the list are asked by oEmbed, and no others', () => {
  assert.equal(
    oembedAddress('https://www.youtube.com/watch?v=1&t=2'),
    'https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D1%26t%3D2',
  );
  for (const other of [
    'https://youtube.com.evil.example/',
    'https://example.com/?youtube.com',
    'https://evil@x.example',
  ]) {
    assert.equal(oembedAddress(other), undefined, other);
  }
});

// rules: link-previews-5
test('an answer by oEmbed gives a title, its author and an image, and never HTML', () => {
  const answer = {
    title: 'A film',
    author_name: 'Ada',
    provider_name: 'Tube',
    html: '<iframe>',
    thumbnail_url: 'https://i.example/1.png',
  };
  assert.deepEqual(websiteOfOembed(JSON.stringify(answer), url), {
    title: 'A film',
    description: 'Ada · Tube',
    imageUrl: 'https://i.example/1.png',
  });
  for (const wrong of ['', 'no', '[]', 'null', '{"title": 1}', '{"html": "<b>"}'])
    assert.equal(websiteOfOembed(wrong, url), undefined);
});
