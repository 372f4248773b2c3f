import assert from 'node:assert/strict';
import type { InitialState } from '../src/calls/types.ts';
import { Model } from '../src/model/model.ts';

/** A model that loads and sends nothing. */
export const WITHOUT_NETWORK: ConstructorParameters<typeof Model>[1] = {
  connection: {
    url: 'http://localhost',
    call: () => Promise.reject(new Error('this model only follows events')),
  },
  untilRetry: () => new Promise(() => undefined),
  saveOutbox: () => undefined,
};

/** Fails unless a model equals this one that is made of its stored state. The next visit makes it so after a long one. */
export function checkStated(model: Model): void {
  const stored = JSON.parse(JSON.stringify(model.state())) as InitialState;
  const { bots, ...rest } = model.plain();
  // A list of bots that is not complete is not stated.
  assert.deepEqual(new Model(stored, WITHOUT_NETWORK).plain(), {
    ...rest,
    bots: model.bots.isComplete ? bots : { bots: [] },
  });
}
