/**
 * The processes of all machines: `heddle doctor --cluster`. Each reports itself when it is asked over the bus
 * (`server/src/monitoring/announcing.ts`). One finding names one fault.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';
import type { Config } from '@heddle/server/config.ts';
import { MAX_CLOCK_DIFFERENCE_SECONDS } from '@heddle/server/db/clock-difference.ts';
import { appliedMigrations } from '@heddle/server/db/migrate.ts';
import type { Db } from '@heddle/server/db/schema.ts';
import { askForReports } from '@heddle/server/log/bus/bus.ts';
import { type FoundProcess, MAX_REPORT_AGE_SECONDS, readReports } from '@heddle/server/monitoring/process-reports.ts';
import { STORE_ADVICE } from '@heddle/server/storage/store-marker.ts';
import { HEDDLE_VERSION } from '@heddle/server/version.ts';
import { type DoctorCheck, type Found, failed, ok, skipped, warning } from './check.ts';
import { CLOCK_ADVICE, SECRET_ADVICE, withDatabaseOf } from './database.ts';

/** A process needs two seconds for a report if its files do not respond. */
const ANSWER_TIMEOUT_MS = timeoutOf(4_000);
const ANSWER_INTERVAL_MS = 50;

interface Asked {
  /** Processes that run, or did until a moment ago. */
  readonly running: readonly FoundProcess[];
  /** Those that did not answer. */
  readonly deaf: readonly FoundProcess[];
  readonly gone: readonly FoundProcess[];
  readonly refused: readonly FoundProcess[];
  /** The last migration of the database. */
  readonly migration: string;
}

/** @param connect its error says why that is not possible */
export function clusterChecks(connect: () => Promise<Db>, config: Config): readonly DoctorCheck[] {
  const withDatabase = withDatabaseOf(connect, config);
  let asking: Promise<Asked | undefined> | undefined;
  const check = (name: string, examine: (asked: Asked) => readonly Found[], well: (asked: Asked) => string) => {
    const run = withDatabase(async (db) => {
      asking ??= askProcesses(db);
      const asked = await asking;
      if (asked === undefined) return skipped('the first start creates the table of processes');
      // The first check says that there is none.
      if (asked.running.length === 0 && name !== 'nodes') return skipped('no process runs, see above');
      const found = examine(asked);
      return found.length > 0 ? found : ok(well(asked));
    });
    return { name, run };
  };
  return [
    check('nodes', examineNodes, ({ running }) => `${countOf(running)}: ${namesOf(running)}`),
    check('versions', examineVersions, () => `all run Heddle ${HEDDLE_VERSION}`),
    check('schema', examineSchema, ({ migration }) => `all know the tables up to ${migration}`),
    check('secrets', examineSecrets, () => 'all have the secret that the database knows'),
    check('stores', examineStores, () => 'all have the store of files that the database knows'),
    check('clocks', examineClocks, ({ running }) => `their clocks differ by ${spreadOf(running).toFixed(1)} s`),
    check('bus', examineBus, () => 'all hear each other'),
  ];
}

/** Undefined: no release with reports has started. */
async function askProcesses(db: Db): Promise<Asked | undefined> {
  const question = randomUUID();
  await askForReports(db, question);
  const hasAnswered = ({ heard }: FoundProcess) => heard === question;
  const isRefused = ({ report }: FoundProcess) => report.refusal !== undefined;
  const isGone = (each: FoundProcess) => !hasAnswered(each) && each.ageSeconds > MAX_REPORT_AGE_SECONDS;
  const deadline = performance.now() + ANSWER_TIMEOUT_MS;
  for (;;) {
    const found = await readReports(db);
    if (found === undefined) return undefined;
    const started = found.filter((each) => !isRefused(each));
    const running = started.filter((each) => !isGone(each));
    const deaf = running.filter((each) => !hasAnswered(each));
    if (started.every(hasAnswered) || performance.now() > deadline) {
      const migration = (await appliedMigrations(db)).at(-1) ?? '';
      return { running, deaf, gone: started.filter(isGone), refused: found.filter(isRefused), migration };
    }
    await delay(ANSWER_INTERVAL_MS);
  }
}

function examineNodes({ running, gone, refused }: Asked): readonly Found[] {
  const none = failed(
    'no process of Heddle runs',
    'Start Heddle on each machine. Each process reports itself at its start.',
  );
  return [
    ...(running.length === 0 ? [none] : []),
    ...refused.map((each) =>
      failed(
        `${nameOf(each)} did not start (${agoOf(each)}): ${each.report.refusal}`,
        'Do what the message says, and start Heddle there again.',
      ),
    ),
    ...gone.map((each) =>
      failed(
        `${nameOf(each)} has been gone for ${durationOf(each.ageSeconds)}: it was killed, it hangs, or its machine is down`,
        'Start Heddle there. If you have removed that machine, the doctor forgets it a day after its last report.',
      ),
    ),
    ...running.flatMap((each) =>
      Object.entries(each.report.failing ?? {}).flatMap(([check, reason]) => notReady(nameOf(each), check, reason)),
    ),
  ];
}

/** Checks of readiness that no other check of the cluster covers. */
function notReady(name: string, check: string, reason: string): readonly Found[] {
  if (check === 'lifecycle') return [warning(`${name} stops: ${reason}`, 'If you did not stop it, start it again.')];
  if (check === 'database') {
    return [failed(`${name} does not reach the database: ${reason}`, 'Look into its log and its HEDDLE_DATABASE_URL.')];
  }
  // The same standbys would be missing for all.
  if (check === 'commits')
    return [failed(`${name} refuses changes: ${reason}`, 'See “standbys” and “replication” below.')];
  return [];
}

function examineVersions({ running }: Asked): readonly Found[] {
  return byNode(running, ({ node, report: { version } }) =>
    version === HEDDLE_VERSION
      ? undefined
      : failed(
          `${node} runs Heddle ${version}, and this machine has Heddle ${HEDDLE_VERSION}`,
          'Install one release on all machines, and restart Heddle on one after the other (docs/operate.md, “Upgrade”).',
        ),
  );
}

function examineSchema({ running, migration: last }: Asked): readonly Found[] {
  return byNode(running, ({ node, report: { migration, failing } }) => {
    if (failing?.schema !== undefined || (migration !== undefined && migration > last)) {
      return failed(
        `${node} needs the tables of ${migration}, and the database has those of ${last}`,
        'Run heddle migrate with the newest release.',
      );
    }
    if (migration !== undefined && migration < last) {
      return failed(
        `${node} knows the tables up to ${migration}, and a newer release has changed them up to ${last}`,
        'Upgrade Heddle there before the next release: a release works only beside the one directly before it.',
      );
    }
    return undefined;
  });
}

const SECRET_FAULTS = {
  different: 'has another secret than the database knows, so its next start will fail',
  missing: 'has lost the file secret, so its next start will fail',
  invalid: 'has a file secret that contains no secret, so its next start will fail',
} as const;

function examineSecrets({ running }: Asked): readonly Found[] {
  return byNode(running, ({ node, report: { secret } }) =>
    secret === undefined || secret === 'equal' || secret === 'new'
      ? undefined
      : failed(`${node} ${SECRET_FAULTS[secret]}`, SECRET_ADVICE),
  );
}

function examineStores({ running }: Asked): readonly Found[] {
  return byNode(running, ({ node, report: { store, failing } }) => {
    if (store === 'different') return failed(`${node} has another store of files than the others`, STORE_ADVICE);
    if (store === 'unusable' || failing?.storage !== undefined) {
      return failed(`${node} cannot use the store of files`, 'Run heddle doctor there: its check “storage” says why.');
    }
    return undefined;
  });
}

function examineClocks({ running }: Asked): readonly Found[] {
  return byNode(running, ({ node, report: { clockDifferenceSeconds: difference = 0 } }) =>
    Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_SECONDS
      ? undefined
      : failed(
          `the clock of ${node} is ${Math.abs(difference).toFixed(1)} s ${difference > 0 ? 'ahead of' : 'behind'} that of the database`,
          CLOCK_ADVICE,
        ),
  );
}

function spreadOf(running: readonly FoundProcess[]): number {
  const differences = running.map(({ report }) => report.clockDifferenceSeconds ?? 0);
  return Math.max(...differences) - Math.min(...differences);
}

function examineBus({ running, deaf }: Asked): readonly Found[] {
  const isAlone = running.length === 1;
  const local = byNode(running, ({ node, report }) =>
    report.bus !== 'local' || isAlone
      ? undefined
      : failed(
          `${node} runs with HEDDLE_BUS=local, so the other processes do not hear of its changes`,
          'Set HEDDLE_BUS=postgres there, and restart it.',
        ),
  );
  // A process without NATS does not hear what NATS carries, and reads it later.
  const kinds = new Set(running.map(({ report }) => report.bus).filter((bus) => bus !== 'local'));
  const mixed =
    kinds.size > 1
      ? byNode(running, ({ node, report }) =>
          report.bus !== 'postgres'
            ? undefined
            : failed(
                `${node} runs with HEDDLE_BUS=postgres and others with NATS, so it hears of their changes late`,
                'Set the same HEDDLE_BUS on all machines, and restart Heddle there.',
              ),
        )
      : [];
  const silent = deaf.map((each) =>
    failed(
      `${nameOf(each)} did not answer over the bus for ${ANSWER_TIMEOUT_MS / 1000} s: it hangs, or it does not hear the others`,
      'Look into its log. If it does not go on by itself, restart it.',
    ),
  );
  const withoutNats = byNode(running, ({ node, report: { hasNats } }) =>
    hasNats === false
      ? failed(
          `${node} is not connected to NATS, so it hears late of changes of processes that are`,
          'Start the servers of NATS that HEDDLE_BUS names there. If they run, the log of the process says why.',
        )
      : undefined,
  );
  return [...local, ...mixed, ...silent, ...withoutNats];
}

/** The faults of machines. Workers of one server have the same, which is named once. */
function byNode(
  processes: readonly FoundProcess[],
  examine: (each: FoundProcess) => Found | undefined,
): readonly Found[] {
  const found = new Map<string, Found>();
  for (const each of processes) {
    const fault = examine(each);
    if (fault !== undefined) found.set(`${each.node} ${fault.status}`, fault);
  }
  return [...found.values()];
}

function countOf({ length }: readonly FoundProcess[]): string {
  return length === 1 ? '1 process runs' : `${length} processes run`;
}

function namesOf(processes: readonly FoundProcess[]): string {
  return processes.map(nameOf).join(', ');
}

function nameOf({ node, worker }: FoundProcess): string {
  return worker === 0 ? node : `${node} (worker ${worker})`;
}

function agoOf({ ageSeconds }: FoundProcess): string {
  return `${durationOf(ageSeconds)} ago`;
}

function durationOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
