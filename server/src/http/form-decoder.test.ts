import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fieldsOfBody } from './bodies.ts';
import { FormDecoder } from './form-decoder.ts';

const tooMany = () => new RangeError('too many');

function decoded(pieces: readonly Buffer[], most = 1000) {
  const decoder = new FormDecoder(most, tooMany);
  for (const piece of pieces) decoder.write(piece);
  return decoder.end();
}

const bytes = (text: string) => Buffer.from(text);

const plain = ['a', 'b=', '=', '&', '+', '%41', '%F0%9F%98%80', '%00'];
// What is malformed beside what should have been encoded, `node:querystring` does not read as far as it can be.
const alphabets = [
  [...plain, '%', '%4', '%zz', '%F0%9F', '%98%80', '%ED%A0%80'],
  [...plain, '😀', 'é'],
];

test('a form that arrives in pieces, cut anywhere, is read as one that came whole', () => {
  const bodies = fc.oneof(...alphabets.map((texts) => fc.array(fc.constantFrom(...texts), { maxLength: 30 })));
  fc.assert(
    fc.property(bodies, fc.array(fc.nat(60), { maxLength: 6 }), (parts, cuts) => {
      const body = bytes(parts.join(''));
      const places = [0, ...cuts.filter((cut) => cut < body.length).toSorted((a, b) => a - b), body.length];
      const pieces = places.slice(1).map((end, index) => body.subarray(places[index], end));
      assert.deepEqual(decoded(pieces), fieldsOfBody(Buffer.from(body)));
    }),
  );
  assert.deepEqual({ ...decoded([bytes('a=%4😀')]) }, { a: '%4😀' });
});

test('a piece may be overwritten once it was taken', () => {
  const piece = bytes('a=%4');
  const decoder = new FormDecoder(1, tooMany);
  decoder.write(piece);
  piece.fill('x');
  decoder.write(bytes('1'));
  assert.deepEqual({ ...decoder.end() }, { a: 'A' });
});

test('the first field too many is refused as it comes, whatever comes after it', () => {
  const decoder = new FormDecoder(2, tooMany);
  decoder.write(bytes('a=1&a=2&'));
  assert.throws(() => decoder.write(bytes('a&')), RangeError);
  assert.deepEqual({ ...decoded([bytes('a=1&&&a=2')], 2) }, { a: ['1', '2'] });
});
