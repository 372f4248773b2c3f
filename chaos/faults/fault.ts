import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@heddle/server/testing/random/random.ts';
import type { Recorder } from '../history/recorder.ts';
import { BALANCER, type Cluster } from '../processes/cluster.ts';
import type { HeddleNode } from '../processes/heddle-node.ts';

/** What a fault acts on, and how it chooses. */
export interface Scene {
  readonly cluster: Cluster;
  readonly recorder: Recorder;
  readonly random: Random;
  /** The longest duration of a fault. */
  readonly maxFaultMs: number;
}

/** A kind of fault. `run` causes it, ends it, and resolves when everything works again. */
export interface FaultKind {
  readonly name: string;
  run(scene: Scene): Promise<void>;
}

const MIN_FAULT_MS = 1_000;

/** Waits for a random time, which is seldom long. */
export function lasts({ random, maxFaultMs }: Scene): Promise<void> {
  return delay(MIN_FAULT_MS + random.below(1) ** 2 * (maxFaultMs - MIN_FAULT_MS));
}

export interface Effect {
  /** With its subject. */
  readonly name: string;
  /** The hosts that owe no response to a client, in addition to the balancer, which passes requests to all processes. */
  readonly silent?: readonly string[];
  readonly kills?: boolean;
}

/** Runs the steps of a fault, and records it until everything works again. */
export async function during({ recorder, cluster }: Scene, effect: Effect, act: () => Promise<void>): Promise<void> {
  await recorder.during({ ...effect, silent: [BALANCER, ...(effect.silent ?? [])] }, async () => {
    await act();
    await cluster.serves();
  });
}

export function anyNode({ cluster, random }: Scene): HeddleNode {
  const node = random.pick(cluster.nodes);
  if (node === undefined) throw new Error('a cluster has processes');
  return node;
}

type Direction = readonly [from: string, to: string];

/** Cuts one direction or both between a host and others, and returns how to heal that. */
export function cutBetween({ cluster, random }: Scene, host: string, others: readonly string[]) {
  const way = random.pick(['both ways', 'to', 'from'] as const) ?? 'both ways';
  const directions = others.flatMap((other): readonly Direction[] => [
    ...(way === 'from' ? [] : [[host, other] as const]),
    ...(way === 'to' ? [] : [[other, host] as const]),
  ]);
  for (const direction of directions) cluster.network.cut(direction);
  return {
    /** Which packets are lost. */
    way: way === 'both ways' ? way : `only packets ${way} ${host}`,
    heal: () => {
      for (const direction of directions) cluster.network.heal(direction);
    },
  };
}
