import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../testing/random/property.ts';
import { fieldsOf, fieldsOfLarge } from './url-encoded.ts';

const TOO_MANY = { message: 'A request has at most 1000 parameters' };

const TEXTS = ['a', 'b=', '=', '&', '+', '%41', '%F0%9F%98%80', '%00', '%', '%4', '%zz', '%F0%9F', '%98%80', '😀', 'é'];
const bodies = fc.array(fc.constantFrom(...TEXTS), { maxLength: 30 }).map((texts) => texts.join(''));

test('a large form is parsed like a small one, wherever a chunk ends', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, fc.integer({ min: 3, max: 20 }), async (body, sliceBytes) => {
      assert.deepEqual(await fieldsOfLarge(Buffer.from(body), sliceBytes), fieldsOf(body));
    }),
  );
});

test('well-formed input is parsed as by URLSearchParams', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))), (pairs) => {
      const standard = new URLSearchParams(pairs);
      const fields = fieldsOf(standard.toString());
      assert.deepEqual(Object.keys(fields).sort(), [...new Set(standard.keys())].sort());
      for (const name of standard.keys()) assert.deepEqual([fields[name]].flat(), standard.getAll(name));
    }),
  );
});

test('malformed input is parsed as far as possible', () => {
  assert.deepEqual({ ...fieldsOf('a=%4😀%zz%41&=&b&%') }, { a: '%4😀%zzA', '': '', b: '', '%': '' });
  assert.deepEqual({ ...fieldsOf('a=%FF+%C3%A9') }, { a: '\ufffd é' });
});

test('one field too many is refused, whatever follows it', async () => {
  const allowed = 'a=1&&&'.repeat(1000);
  assert.equal(fieldsOf(allowed).a?.length, 1000);
  for (const rest of ['a', 'b=1&%&']) {
    assert.throws(() => fieldsOf(allowed + rest), TOO_MANY);
    await assert.rejects(fieldsOfLarge(Buffer.from(allowed + rest)), TOO_MANY);
  }
});
