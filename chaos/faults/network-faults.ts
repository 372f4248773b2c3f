/** Partitions between clients, the balancer, processes and databases. Some are one-way. */
import { CLIENTS } from '../network/network.ts';
import { BALANCER } from '../processes/cluster.ts';
import { DATABASE_HOSTS } from '../processes/database-cluster.ts';
import { anyNode, cutBetween, during, type FaultKind, lasts, type Scene } from './fault.ts';

interface Partition {
  readonly between: string;
  readonly host: string;
  readonly others: readonly string[];
  readonly silent?: readonly string[];
}

async function partition(scene: Scene, { between, host, others, silent = [] }: Partition): Promise<void> {
  const { way, heal } = cutBetween(scene, host, others);
  await during(scene, { name: `partition between ${between}, ${way}`, silent }, async () => {
    await lasts(scene);
    heal();
  });
}

export const networkFaults: readonly FaultKind[] = [
  {
    name: 'partition between a process and the databases',
    async run(scene) {
      const { name } = anyNode(scene);
      await partition(scene, { between: `${name} and the databases`, host: name, others: DATABASE_HOSTS });
    },
  },
  {
    name: 'partition between a process and the balancer',
    async run(scene) {
      const { name } = anyNode(scene);
      await partition(scene, { between: `${name} and the balancer`, host: name, others: [BALANCER] });
    },
  },
  {
    name: 'partition between clients and a process',
    async run(scene) {
      const { name } = anyNode(scene);
      await partition(scene, { between: `clients and ${name}`, host: name, others: [CLIENTS], silent: [name] });
    },
  },
  {
    name: 'partition between clients and the balancer',
    async run(scene) {
      await partition(scene, { between: 'clients and the balancer', host: BALANCER, others: [CLIENTS] });
    },
  },
  {
    name: 'silence of the bus',
    async run(scene) {
      await during(scene, { name: 'silence of the bus' }, async () => {
        const resume = await scene.cluster.databases.primary.pauseNotifications();
        await lasts(scene);
        resume();
      });
    },
  },
];
