import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsFor, THROW_AWAY_MEMORY } from './settings.ts';

const gibibyte = 1024 ** 3;

test('the settings depend on the machine’s memory and disk, within bounds', () => {
  const table = [
    { memory: 0.125, disk: 0.125, expected: ['32MB', '64MB', '4MB', '32MB', '64MB', '64MB'] },
    { memory: 4, disk: 10, expected: ['512MB', '2048MB', '4MB', '128MB', '512MB', '128MB'] },
    { memory: 24, disk: 250, expected: ['3072MB', '12288MB', '24MB', '512MB', '1024MB', '256MB'] },
    { memory: 512, disk: 10_000, expected: ['4096MB', '262144MB', '32MB', '512MB', '1024MB', '256MB'] },
  ];
  for (const { memory, disk, expected } of table) {
    const machine = { memoryBytes: memory * gibibyte, diskBytes: disk * gibibyte };
    const settings = settingsFor(machine, 'durable');
    assert.deepEqual(
      [
        settings.shared_buffers,
        settings.effective_cache_size,
        settings.work_mem,
        settings.maintenance_work_mem,
        settings.max_wal_size,
        settings.min_wal_size,
      ],
      expected,
    );
  }
});

test('a throw-away cluster differs from a durable one on a small machine only in fsync and patience', () => {
  const machine = { memoryBytes: 4 * gibibyte, diskBytes: 10 * gibibyte };
  const small = { ...machine, memoryBytes: THROW_AWAY_MEMORY };
  assert.deepEqual(
    { ...settingsFor(machine, 'throw-away'), fsync: 'on', authentication_timeout: '60s' },
    settingsFor(small, 'durable'),
  );
});
