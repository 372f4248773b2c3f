// timeouts: real
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { startReplicatedCluster } from '../testing/database/replicated-cluster.ts';
import { until } from '../testing/server/until.ts';
import { backendOf } from './backend.ts';
import { CommitOutage, type CommittingPool } from './commit-outage.ts';
import { COMMIT_TIMEOUT_MS } from './timeouts.ts';

test('a commit that has just begun is not taken for one that waits, however long its statement took', async (t) => {
  const { primary, waitForStandby, remove } = await startReplicatedCluster();
  await waitForStandby();
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  const broken: number[] = [];
  const pool: CommittingPool = {
    backendsBusyFor: () => [backendOf(client)],
    breakOffBackends: (backends) => void broken.push(...backends),
    refuseChanges: () => undefined,
  };
  const outage = new CommitOutage({ connectionString: primary.url }, pino({ enabled: false }), new Set([pool]));
  const [sender] = await primary.query<{ pid: number }>('SELECT pid FROM pg_stat_replication');
  assert(sender !== undefined);
  process.kill(sender.pid, 'SIGSTOP');
  t.after(async () => {
    process.kill(sender.pid, 'SIGCONT');
    await outage.close();
    await client.end();
    await remove();
  });

  const waiting = async () =>
    (await primary.query(`SELECT FROM pg_stat_activity WHERE pid = ${backendOf(client)} AND wait_event = 'SyncRep'`))
      .length === 1;
  const seconds = COMMIT_TIMEOUT_MS / 1_000 + 0.1;
  const written = client.query(`INSERT INTO server_facts SELECT 'slow', pg_sleep(${seconds})::text`);
  await until(waiting, 'the commit to wait');
  const hasLooked = async () =>
    (
      await primary.query(
        `SELECT FROM pg_stat_activity
          WHERE application_name = 'heddle commit check' AND state = 'idle' AND query LIKE '%SyncRep%'`,
      )
    ).length === 1;
  outage.look();
  await until(hasLooked, 'the first look');
  assert.deepEqual(broken, []);
  await until(() => {
    outage.look();
    return outage.isOut;
  }, 'the outage');
  process.kill(sender.pid, 'SIGCONT');
  await written;
  await until(() => !outage.isOut, 'the end of the outage');
});
