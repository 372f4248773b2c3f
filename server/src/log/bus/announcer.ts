import type { Logger } from 'pino';
import { backgroundLevel } from '../../db/failures.ts';
import { type CarriedEvents, encodeWakeUp } from './wake-up.ts';

/** A way to the other processes. */
export interface Carrier {
  readonly name: string;
  /** Whether it is connected. The announcer takes the first one that is. */
  readonly isReady: boolean;
  /** The largest text now; 0 if it should carry no events. */
  readonly maxTextBytes: number;
  /** Resolves when the texts are out of this process. Rejects within a few seconds if they may not be. */
  send(texts: readonly string[]): Promise<void>;
}

/** More events for one organization wait in the table instead. */
const MAX_WAITING_EVENTS = 500;

/** Sends one batch of wake-ups for everything that was published while the previous batch was on its way. */
export class Announcer {
  readonly #carriers: readonly Carrier[];
  readonly #log: Logger;
  /** What each organization has to announce. undefined: only that its log has grown. */
  readonly #grown = new Map<number, CarriedEvents | undefined>();
  #sending: Promise<void> | undefined;

  constructor(carriers: readonly Carrier[], log: Logger) {
    this.#carriers = carriers;
    this.#log = log;
  }

  publish(organizationId: number, carried: CarriedEvents | undefined): void {
    const isFirst = !this.#grown.has(organizationId);
    this.#grown.set(organizationId, isFirst ? carried : joined(this.#grown.get(organizationId), carried));
    this.#sending ??= this.#send();
  }

  settled(): Promise<void> {
    return this.#sending ?? Promise.resolve();
  }

  async #send(): Promise<void> {
    while (this.#grown.size > 0) {
      const grown = [...this.#grown];
      this.#grown.clear();
      await this.#deliver(grown);
    }
    this.#sending = undefined;
  }

  /** If all carriers fail, the other processes find the events when they next look at the table. */
  async #deliver(grown: readonly (readonly [number, CarriedEvents | undefined])[]): Promise<void> {
    for (const carrier of this.#carriers) {
      if (!carrier.isReady) continue;
      try {
        await carrier.send(grown.flatMap(([id, carried]) => encodeWakeUp(id, carried, carrier.maxTextBytes)));
        return;
      } catch (error) {
        this.#log[backgroundLevel(error)]({ err: error }, `cannot wake the other processes through ${carrier.name}`);
      }
    }
  }
}

function joined(one: CarriedEvents | undefined, next: CarriedEvents | undefined): CarriedEvents | undefined {
  if (one === undefined || next === undefined || one.epoch !== next.epoch) return undefined;
  if (one.events.length + next.events.length > MAX_WAITING_EVENTS) return undefined;
  return { epoch: one.epoch, events: [...one.events, ...next.events] };
}
