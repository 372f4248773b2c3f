/** Which faults happen when. The same seed gives the same order. */
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '@heddle/server/testing/random/random.ts';
import { databaseFaults } from './database-faults.ts';
import type { FaultKind, Scene } from './fault.ts';
import { networkFaults } from './network-faults.ts';
import { processFaults } from './process-faults.ts';

/** Of the time between faults, in which everything must work. */
const MIN_QUIET_MS = 5_000;
const MAX_QUIET_MS = 9_000;

/** The part of the rounds with a fault of the database beside another one. */
const BOTH_RATIO = 0.4;

const MAX_SEED_VALUE = 2 ** 31;

/** Gives all kinds in random order, then again. So also a short run has many different ones. */
class Deck {
  readonly #kinds: readonly FaultKind[];
  readonly #random: Random;
  #left: FaultKind[] = [];

  constructor(kinds: readonly FaultKind[], random: Random) {
    this.#kinds = kinds;
    this.#random = random;
  }

  next(): FaultKind {
    if (this.#left.length === 0) this.#left = [...this.#random.shuffled(this.#kinds)];
    const kind = this.#left.pop();
    if (kind === undefined) throw new Error('there are no faults');
    return kind;
  }
}

/** Causes faults, one or two at a time, until the time is over. */
export async function causeFaults(scene: Scene, untilMs: number, say: (line: string) => void): Promise<void> {
  const { cluster, recorder, random } = scene;
  const ofDatabases = new Deck(databaseFaults, random);
  const others = new Deck([...processFaults, ...networkFaults], random);
  while (recorder.now() < untilMs) {
    await delay(MIN_QUIET_MS + random.below(MAX_QUIET_MS - MIN_QUIET_MS));
    const isOfDatabase = random.boolean();
    const first = isOfDatabase ? ofDatabases.next() : others.next();
    const isBoth = random.below(1) < BOTH_RATIO;
    const second = isBoth ? [isOfDatabase ? others.next() : ofDatabases.next()] : [];
    const chosen = [first, ...second];
    say(chosen.map(({ name }) => name).join(' + '));
    await Promise.all(chosen.map((kind) => kind.run(withOwnChoices(scene))));
    await cluster.databases.isWell();
  }
}

/** Two faults at a time would share their choices in any order. */
function withOwnChoices(scene: Scene): Scene {
  return { ...scene, random: new Random(scene.random.integerBelow(MAX_SEED_VALUE)) };
}
