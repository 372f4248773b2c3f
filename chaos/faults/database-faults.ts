/** Faults of PostgreSQL: of the primary, of its standbys, and between them. Only one of them happens at a time. */
import type { PostgresHost } from '../processes/postgres-host.ts';
import { waitFor } from '../waiting.ts';
import { cutBetween, during, type FaultKind, lasts, type Scene } from './fault.ts';

/** A commit takes so long on a slow disk. */
const SLOW_COMMIT_MS = 100;

export const databaseFaults: readonly FaultKind[] = [
  {
    name: 'kill -9 of the primary, and its restart',
    async run(scene) {
      const { primary } = scene.cluster.databases;
      await during(scene, { name: `kill -9 of the primary ${primary.name}, and its restart` }, async () => {
        await primary.kill();
        await lasts(scene);
        await primary.start();
      });
    },
  },
  {
    name: 'pause of the primary',
    async run(scene) {
      const { primary } = scene.cluster.databases;
      await during(scene, { name: `pause of the primary ${primary.name}` }, async () => {
        primary.pause();
        await lasts(scene);
        primary.resume();
      });
    },
  },
  {
    name: 'kill -9 of the primary, and promotion without loss',
    async run(scene) {
      const { databases } = scene.cluster;
      const { primary } = databases;
      await during(scene, { name: `kill -9 of the primary ${primary.name}, and promotion without loss` }, async () => {
        await primary.kill();
        await databases.promote();
        await databases.commits();
      });
      await replace(scene, primary);
    },
  },
  {
    name: 'pause of the primary, and promotion without loss',
    async run(scene) {
      const { databases } = scene.cluster;
      const { primary } = databases;
      await during(scene, { name: `pause of the primary ${primary.name}, and promotion without loss` }, async () => {
        primary.pause();
        await lasts(scene);
        await databases.promote();
        await databases.commits();
        // It does not know yet that it is no primary. No standby confirms its commits.
        primary.resume();
        await lasts(scene);
        await primary.kill();
      });
      await replace(scene, primary);
    },
  },
  {
    name: 'partition between the primary and a standby',
    run: (scene) => partition(scene, 1),
  },
  {
    name: 'partition between the primary and all standbys',
    run: (scene) => partition(scene, scene.cluster.databases.standbys.length),
  },
  {
    name: 'kill -9 of a standby, and its restart',
    async run(scene) {
      const standby = anyStandby(scene);
      await during(scene, { name: `kill -9 of the standby ${standby.name}, and its restart` }, async () => {
        await standby.kill();
        await lasts(scene);
        await standby.start();
      });
    },
  },
  {
    name: 'full disk of the primary',
    async run(scene) {
      const { primary } = scene.cluster.databases;
      await during(scene, { name: `full disk of the primary ${primary.name}` }, async () => {
        primary.fillDisk();
        await lasts(scene);
        primary.freeDisk();
        await waitFor(async () => {
          // It ends if it cannot write its log.
          if (!primary.isRunning) await primary.start();
          return primary.accepts();
        }, 'PostgreSQL to accept connections');
      });
    },
  },
  {
    name: 'slow disk of the primary',
    async run(scene) {
      const { primary } = scene.cluster.databases;
      await during(scene, { name: `slow disk of the primary ${primary.name}` }, async () => {
        await primary.set({ commit_delay: String(SLOW_COMMIT_MS * 1_000), commit_siblings: '0' });
        await lasts(scene);
        await primary.set({ commit_delay: '0' });
      });
    },
  },
];

function anyStandby({ cluster, random }: Scene): PostgresHost {
  const standby = random.pick(cluster.databases.standbys);
  if (standby === undefined) throw new Error('a cluster has standbys');
  return standby;
}

async function partition(scene: Scene, count: number): Promise<void> {
  const { primary, standbys } = scene.cluster.databases;
  const names = scene.random.shuffled(standbys.map(({ name }) => name)).slice(0, count);
  const { way, heal } = cutBetween(scene, primary.name, names);
  await during(
    scene,
    { name: `partition between the primary ${primary.name} and ${names.join(' and ')}, ${way}` },
    async () => {
      await lasts(scene);
      heal();
    },
  );
}

/** Makes a standby of a former primary. This is no fault: nobody waits for it. */
async function replace({ cluster }: Scene, former: PostgresHost): Promise<void> {
  await former.copyFrom(cluster.databases.primary);
  await cluster.databases.isWell();
}
