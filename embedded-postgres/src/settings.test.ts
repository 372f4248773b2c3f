import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { measureMachine, settingsFor, THROW_AWAY_MEMORY } from './settings.ts';

const gibibyte = 1024 ** 3;

test('the settings depend on the machine’s memory and disk, within bounds', () => {
  const table = [
    { memory: 0.125, disk: 0.125, expected: ['32MB', '64MB', '4MB', '32MB', '64MB', '64MB'] },
    { memory: 4, disk: 10, expected: ['512MB', '2048MB', '4MB', '128MB', '512MB', '128MB'] },
    { memory: 24, disk: 250, expected: ['3072MB', '12288MB', '24MB', '512MB', '1024MB', '256MB'] },
    { memory: 512, disk: 10_000, expected: ['4096MB', '262144MB', '32MB', '512MB', '1024MB', '256MB'] },
  ];
  for (const { memory, disk, expected } of table) {
    const machine = { memoryBytes: memory * gibibyte, diskBytes: disk * gibibyte, dataBytes: disk * gibibyte };
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

test('a small database has few buffers on a large machine, because each costs memory before it is used', () => {
  const buffers = [0, 0.1, 0.5, 100].map((data) => {
    const machine = { memoryBytes: 24 * gibibyte, diskBytes: 250 * gibibyte, dataBytes: data * gibibyte };
    return settingsFor(machine, 'durable').shared_buffers;
  });
  assert.deepEqual(buffers, ['256MB', '410MB', '2048MB', '3072MB']);
});

test('the size of the data is that of the files of the cluster', (t) => {
  const cluster = mkdtempSync(join(tmpdir(), 'heddle-cluster-'));
  t.after(() => rmSync(cluster, { recursive: true }));
  mkdirSync(join(cluster, 'base', '5'), { recursive: true });
  mkdirSync(join(cluster, 'pg_wal'));
  writeFileSync(join(cluster, 'base', '5', '16384'), Buffer.alloc(8192));
  writeFileSync(join(cluster, 'base', '5', '16384_vm'), Buffer.alloc(1000));
  writeFileSync(join(cluster, 'pg_wal', '000000010000000000000001'), Buffer.alloc(5000));
  assert.equal(measureMachine(cluster).dataBytes, 9192);
});

test('a throw-away cluster differs from a durable one on a small machine only in fsync and patience', () => {
  const machine = { memoryBytes: 4 * gibibyte, diskBytes: 10 * gibibyte, dataBytes: gibibyte };
  const small = { ...machine, memoryBytes: THROW_AWAY_MEMORY };
  assert.deepEqual(
    { ...settingsFor(machine, 'throw-away'), fsync: 'on', authentication_timeout: '60s' },
    settingsFor(small, 'durable'),
  );
});
