import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonSchema } from '@heddle/api/json-schema.ts';
import Type, { type TSchema } from 'typebox';
import { typeNameOf } from './contract-names.ts';
import { commentOf, typeOf } from './typescript.ts';

const unnamed = { nameOf: () => undefined };
const written = (schema: TSchema) => typeOf(schema as JsonSchema, unnamed).replaceAll(/\s+/g, ' ');

test('schemas become types: unions, literals, lists, tuples, records and objects', () => {
  assert.equal(
    written(Type.Union([Type.Literal("it's"), Type.Integer(), Type.Number(), Type.Null()])),
    "'it\\'s' | number | null",
  );
  assert.equal(written(Type.Array(Type.Union([Type.String(), Type.Integer()]))), 'readonly (string | number)[]');
  assert.equal(written(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })), 'readonly [string, string]');
  assert.equal(written(Type.Tuple([Type.String(), Type.Boolean()])), 'readonly [string, boolean]');
  assert.equal(written(Type.Record(Type.String(), Type.Integer())), '{ readonly [key: string]: number }');
  assert.equal(
    written(Type.Object({ a: Type.Optional(Type.String()), 'retry-after': Type.Number() })),
    "{ readonly a?: string; readonly 'retry-after': number; }",
  );
});

test('parameters can be undefined, which is left out', () => {
  const schema = Type.Object({ a: Type.Optional(Type.String()) }) as TSchema as JsonSchema;
  assert.match(typeOf(schema, { ...unnamed, forParameters: true }), /readonly a\?: string \| undefined;/);
});

test('a description cannot end its comment', () => {
  assert.equal(commentOf(['any type: */*']), '/** any type: *\\/* */\n');
});

test('types have our words instead of the old ones of the wire', () => {
  assert.equal(typeNameOf('streamEvent'), 'ChannelEvent');
  assert.equal(typeNameOf('defaultStreamsEvent'), 'DefaultChannelsEvent');
  assert.equal(typeNameOf('realmUserEvent'), 'OrganizationUserEvent');
  assert.equal(typeNameOf('userGroup'), 'UserGroup');
});
