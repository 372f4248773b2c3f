import type { JsonSchema } from '@heddle/api/json-schema.ts';
import { Compile } from 'typebox/compile';

const validators = new WeakMap<JsonSchema, ReturnType<typeof Compile>>();

/** Whether the value fits the schema. The schema is compiled at the first use. For checks of each item of a long list. */
export function Check(schema: JsonSchema, value: unknown): boolean {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator.Check(value);
}
