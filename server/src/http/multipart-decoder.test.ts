import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MultipartDecoder } from './multipart-decoder.ts';

const tooMany = () => new RangeError('too many');
const BOUNDARY = '-x-';
const TYPE = `multipart/form-data; boundary="${BOUNDARY}"`;
const MALFORMED = { message: 'Malformed multipart/form-data' };

function decoded(pieces: readonly (string | Buffer)[], most = 1000) {
  const decoder = new MultipartDecoder(TYPE, most, tooMany);
  for (const piece of pieces) decoder.write(Buffer.from(piece));
  return { ...decoder.end() };
}

const part = (opening: string, content: string) => `--${BOUNDARY}\r\n${opening}\r\n\r\n${content}\r\n`;
const field = (name: string, content: string, more = '') =>
  part(`Content-Disposition: form-data; name="${name}"${more}`, content);
const LAST = `--${BOUNDARY}--\r\n`;

/** What could be mistaken for the end of something, and characters of several bytes. */
const TEXTS = ['a', 'é', '😀', '\r', '\n', '\r\n', '-', '--', `\r\n--${BOUNDARY.slice(0, -1)}`, '-x', '"', '%22', '\0'];
const text = fc.array(fc.constantFrom(...TEXTS), { maxLength: 12 }).map((pieces) => pieces.join(''));
/** That reader takes the boundary for the end of a part wherever it is. */
const isContent = (content: string) => !content.includes(BOUNDARY);

test('a form that arrives in pieces, cut anywhere, is read as the standard’s own reader reads it', async () => {
  const entry = fc.record({
    name: fc.constantFrom('a', 'b', 'é', '%22', ''),
    content: text.filter(isContent),
    isFile: fc.boolean(),
  });
  const form = fc.record({ entries: fc.array(entry, { maxLength: 5 }), epilogue: text, cuts: fc.array(fc.nat(400)) });
  await fc.assert(
    fc.asyncProperty(form, async ({ entries, epilogue, cuts }) => {
      const parts = entries.map(({ name, content, isFile }) => field(name, content, isFile ? '; filename="f"' : ''));
      const body = Buffer.from(parts.join('') + LAST + epilogue);
      const read = await new Response(body, { headers: { 'content-type': TYPE } }).formData();
      const expected = Object.fromEntries([...read].filter(([, value]) => typeof value === 'string'));
      const places = [0, ...cuts.filter((cut) => cut < body.length).toSorted((a, b) => a - b), body.length];
      const pieces = places.slice(1).map((end, index) => body.subarray(places[index], end));
      assert.deepEqual(decoded(pieces), expected);
      assert.deepEqual(decoded(Array.from(body, (_, index) => body.subarray(index, index + 1))), expected);
    }),
    { numRuns: 300 },
  );
});

test('only a line of its own that begins with it ends a part', () => {
  for (const content of [BOUNDARY, `--${BOUNDARY}x`, `\n--${BOUNDARY}\n`, `\r\n-${BOUNDARY}\r\n`, '\r\n'.repeat(3)]) {
    assert.deepEqual(decoded([field('a', content) + LAST]), { a: content });
  }
});

test('a piece may be overwritten once it was taken', () => {
  const decoder = new MultipartDecoder(TYPE, 1, tooMany);
  const whole = Buffer.from(field('name', 'content') + LAST);
  for (const byte of whole) {
    const piece = Buffer.of(byte);
    decoder.write(piece);
    piece.fill('x');
  }
  assert.deepEqual({ ...decoder.end() }, { name: 'content' });
});

test('names are told in any order and any form that clients write, with other lines beside them', () => {
  for (const opening of [
    'content-disposition:form-data;name=a',
    'Content-Disposition: form-data; other="x;y"; NAME="a" ',
    'Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: 8bit',
  ]) {
    assert.deepEqual(decoded([part(opening, '1'), LAST]), { a: '1' }, opening);
  }
  assert.deepEqual(decoded([field('%22%0d%0Aé%20', '1'), LAST]), { '"\r\né%20': '1' });
});

test('files are no fields, whatever they are called', () => {
  for (const name of ['filename=""', 'filename="a\\"b;c"', 'FileName=x', "filename*=utf-8''x"]) {
    assert.deepEqual(decoded([field('a', 'content', `; ${name}`), field('b', '1'), LAST]), { b: '1' }, name);
  }
});

test('what is no form is refused', () => {
  const named = 'Content-Disposition: form-data; name="a"';
  for (const body of [
    '',
    'nonsense',
    field('a', '1'),
    `--${BOUNDARY}more\r\n${named}\r\n\r\n1\r\n${LAST}`,
    `--${BOUNDARY}\r\n\r\n1\r\n${LAST}`,
    part('Content-Type: text/plain', '1') + LAST,
    part('Content-Disposition: form-data', '1') + LAST,
    part('Content-Disposition: attachment; name="a"', '1') + LAST,
    part('Content-Disposition: form-data; name="a', '1') + LAST,
    part(`${named}\r\nno header`, '1') + LAST,
    part(`${named}\r\n folded: x`, '1') + LAST,
    part(`${named}\r\nContent-Transfer-Encoding: base64`, 'MQ==') + LAST,
    part(`${named}${'\r\na: b'.repeat(10)}`, '1') + LAST,
    part(`${named}\r\na: ${'b'.repeat(4096)}`, '1') + LAST,
  ]) {
    assert.throws(() => decoded([body]), MALFORMED, body.slice(0, 200));
  }
});

test('one part too many is refused as it comes, and so is an opening without an end', () => {
  const many = new MultipartDecoder(TYPE, 2, tooMany);
  many.write(Buffer.from(field('a', '1') + field('a', '2', '; filename="f"')));
  assert.throws(() => many.write(Buffer.from(field('a', '3'))), RangeError);
  const long = new MultipartDecoder(TYPE, 2, tooMany);
  long.write(Buffer.from(`--${BOUNDARY}\r\n`));
  assert.throws(() => long.write(Buffer.from('a: b\r\n'.repeat(1000))), MALFORMED);
});
