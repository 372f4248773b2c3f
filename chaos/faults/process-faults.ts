/** Faults of processes of Heddle. */
import { anyNode, during, type FaultKind, lasts } from './fault.ts';

export const processFaults: readonly FaultKind[] = [
  {
    name: 'kill -9 of a process',
    async run(scene) {
      const node = anyNode(scene);
      await during(scene, { name: `kill -9 of ${node.name}`, silent: [node.name], kills: true }, async () => {
        await node.stop('SIGKILL');
        await lasts(scene);
        await node.start();
      });
    },
  },
  {
    name: 'restart of a process',
    async run(scene) {
      const node = anyNode(scene);
      await during(scene, { name: `restart of ${node.name}`, silent: [node.name] }, async () => {
        await node.stop('SIGTERM');
        await node.start();
      });
    },
  },
  {
    name: 'pause of a process',
    async run(scene) {
      const node = anyNode(scene);
      // Others may deliver the jobs of a paused process again.
      await during(scene, { name: `pause of ${node.name}`, silent: [node.name], kills: true }, async () => {
        node.pause();
        await lasts(scene);
        node.resume();
      });
    },
  },
];
