import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { allEvents } from '@heddle/api/all-events.ts';
import { features } from './app.ts';
import { presentersOf } from './features/feature.ts';

test('every folder of features is one feature of that name, listed once', async () => {
  const entries = await readdir(new URL('features/', import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  assert.deepEqual(features.map(({ name }) => name).toSorted(), folders.toSorted());
});

test('what features present are the events of the contract, each type by one of them', async () => {
  const presented = features.flatMap((feature) => Object.keys(presentersOf(feature, { secret: Buffer.alloc(32) })));
  // The log itself makes heartbeats.
  const types = [...(await allEvents()).keys()].filter((type) => type !== 'heartbeat');
  assert.deepEqual(presented.toSorted(), types.toSorted());
});
