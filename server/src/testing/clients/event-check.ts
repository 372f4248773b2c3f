import assert from 'node:assert/strict';
import { allEvents } from '@heddle/api/all-events.ts';
import { Compile } from 'typebox/compile';
import { strict } from './contract-check.ts';

type Validator = ReturnType<typeof Compile>;
const schemas = await allEvents();
const validators = new Map<string, Validator>();

/** Fails the test if an event has an extra, missing or ill-typed field, or a type that is not in the contract. */
export function checkEvent(event: { readonly type: string }): void {
  let validator = validators.get(event.type);
  if (validator === undefined) {
    const schema = schemas.get(event.type);
    assert(schema !== undefined, `the contract has no events of type ${event.type}`);
    validator = Compile(strict(schema));
    validators.set(event.type, validator);
  }
  const problems = [...validator.Errors(event)].map((error) => `${error.instancePath} ${error.message}`);
  assert(problems.length === 0, `${JSON.stringify(event)}\nis no ${event.type} event: ${problems.join('; ')}`);
}
