import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { allEvents } from '@heddle/api/all-events.ts';
import { features } from './all-features.ts';
import { presentersOf } from './extension/feature.ts';

test('every folder in features is registered as a feature', async () => {
  const entries = await readdir(new URL('features/', import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `features/${name}`);
  const found = features.map(({ folder }) => folder).filter((folder) => folder.startsWith('features/'));
  assert.deepEqual(found, folders.toSorted());
});

test('features present exactly the event types of the contract, each once', async () => {
  const presented = features.flatMap((feature) => Object.keys(presentersOf(feature, { secret: Buffer.alloc(32) })));
  // The log itself creates heartbeats.
  const types = [...(await allEvents()).keys()].filter((type) => type !== 'heartbeat');
  assert.deepEqual(presented.toSorted(), types.toSorted());
});
