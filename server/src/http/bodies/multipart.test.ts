import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../testing/random/property.ts';
import { fieldsOfMultipart } from './multipart.ts';

const BOUNDARY = '-x-';
const TYPE = `multipart/form-data; boundary="${BOUNDARY}"`;
const MALFORMED = { message: 'Malformed multipart/form-data' };

const decoded = (form: string) => ({ ...fieldsOfMultipart(Buffer.from(form), TYPE) });

const part = (opening: string, content: string) => `--${BOUNDARY}\r\n${opening}\r\n\r\n${content}\r\n`;
const field = (name: string, content: string, more = '') =>
  part(`Content-Disposition: form-data; name="${name}"${more}`, content);
const LAST = `--${BOUNDARY}--\r\n`;

/** Pieces that could be mistaken for the end of a part, and characters of several bytes. */
const TEXTS = ['a', 'é', '😀', '\r', '\n', '\r\n', '-', '--', `\r\n--${BOUNDARY.slice(0, -1)}`, '-x', '"', '%22', '\0'];
const text = fc.array(fc.constantFrom(...TEXTS), { maxLength: 12 }).map((pieces) => pieces.join(''));
/** The platform's parser treats the boundary as the end of a part wherever it is. */
const isContent = (content: string) => !content.includes(BOUNDARY);

test('a form is parsed as the platform’s own parser does', async () => {
  const entry = fc.record({
    name: fc.constantFrom('a', 'b', 'é', '%22', ''),
    content: text.filter(isContent),
    isFile: fc.boolean(),
  });
  const form = fc.record({ entries: fc.array(entry, { maxLength: 5 }), epilogue: text });
  await fc.assert(
    fc.asyncProperty(form, async ({ entries, epilogue }) => {
      const parts = entries.map(({ name, content, isFile }) => field(name, content, isFile ? '; filename="f"' : ''));
      const body = parts.join('') + LAST + epilogue;
      const read = await new Response(body, { headers: { 'content-type': TYPE } }).formData();
      const expected = Object.fromEntries([...read].filter(([, value]) => typeof value === 'string'));
      assert.deepEqual(decoded(body), expected);
    }),
    { numRuns: 300 },
  );
});

test('only a boundary at the start of its own line ends a part', () => {
  for (const content of [BOUNDARY, `--${BOUNDARY}x`, `\n--${BOUNDARY}\n`, `\r\n-${BOUNDARY}\r\n`, '\r\n'.repeat(3)]) {
    assert.deepEqual(decoded(field('a', content) + LAST), { a: content });
  }
});

test('field names are accepted in every order and notation that clients use, with other headers', () => {
  for (const opening of [
    'content-disposition:form-data;name=a',
    'Content-Disposition: form-data; other="x;y"; NAME="a" ',
    'Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: 8bit',
  ]) {
    assert.deepEqual(decoded(part(opening, '1') + LAST), { a: '1' }, opening);
  }
  assert.deepEqual(decoded(field('%22%0d%0Aé%20', '1') + LAST), { '"\r\né%20': '1' });
});

test('files are not fields, whatever their filename', () => {
  for (const name of ['filename=""', 'filename="a\\"b;c"', 'FileName=x', "filename*=utf-8''x"]) {
    assert.deepEqual(decoded(field('a', 'content', `; ${name}`) + field('b', '1') + LAST), { b: '1' }, name);
  }
});

test('malformed forms are refused', () => {
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
    assert.throws(() => decoded(body), MALFORMED, body.slice(0, 200));
  }
});

test('one part too many is refused, whatever follows it', () => {
  const most = field('a', '1').repeat(999) + field('a', '2', '; filename="f"');
  assert.deepEqual(decoded(most + LAST), { a: '1' });
  assert.throws(() => decoded(`${most + field('a', '3')}nonsense`), {
    message: 'A request has at most 1000 parameters',
  });
});
