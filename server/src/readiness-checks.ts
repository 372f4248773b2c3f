/** What a process needs to serve: its database, the tables of its version, the other processes, its files, and large organizations in memory. */
import type pg from 'pg';
import type { HealthCheck } from './db/health-check.ts';
import { missingMigrations } from './db/migrate.ts';
import type { Db } from './db/schema.ts';
import type { Bus } from './log/bus/bus.ts';
import { COMMIT_TO_STANDBY } from './log/durability.ts';
import type { Preloading } from './preloading.ts';
import type { ReadinessCheck } from './readiness.ts';
import type { Storage } from './storage/storage.ts';

export interface CheckedParts {
  readonly healthCheck: HealthCheck;
  /** A pool that transactions never occupy: a busy server is ready. */
  readonly signals: pg.Pool;
  readonly signalsDb: Db;
  readonly bus: Bus;
  readonly storage: Storage;
  readonly preloading: Pick<Preloading, 'isRunning'>;
}

export function readinessChecks(parts: CheckedParts): ReadinessCheck[] {
  const { healthCheck, signals, signalsDb, bus, storage, preloading } = parts;
  return [
    {
      name: 'database',
      validMs: 1_000,
      async test() {
        if (healthCheck.isOut) return 'no response';
        await signals.query('SELECT 1');
        return undefined;
      },
    },
    {
      name: 'commits',
      validMs: 1_000,
      // Without changes, nothing else would notice that a standby is missing.
      async test() {
        if (healthCheck.confirmsNoCommits) return 'no standby confirms commits';
        await signals.query(COMMIT_TO_STANDBY);
        return undefined;
      },
    },
    {
      name: 'schema',
      validMs: 10_000,
      // Migrations of a newer version are no problem: during an upgrade, the old version runs beside the new one.
      async test() {
        const missing = await missingMigrations(signalsDb);
        return missing.length === 0 ? undefined : 'migrations are missing';
      },
    },
    {
      name: 'bus',
      validMs: 1_000,
      test: async () => (bus.isListening ? undefined : 'it does not listen to the other processes'),
    },
    {
      name: 'storage',
      validMs: 10_000,
      async test() {
        await storage.check();
        return undefined;
      },
    },
    {
      name: 'organizations',
      validMs: 1_000,
      test: async () => (preloading.isRunning ? 'large organizations are being loaded' : undefined),
    },
  ];
}
