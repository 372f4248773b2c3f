/** Hands states and events to the app, and survives its errors. */
import type { InitialState, ServerEvent } from '../calls/types.ts';
import type { Snapshot } from './position.ts';
import { RateGuard } from './rate-guard.ts';

/** Where a state or events come from. */
export type Source =
  /** The store: they are as old as the last visit. */
  | 'store'
  /** The server, or the tab that polls it. */
  | 'server';

export interface StateInfo {
  readonly source: Source;
  /** The state after this event. */
  readonly lastEventId: number;
  /** What the app stored with `extra`. Its entries are of the position after the events that follow. Empty unless `source` is `store`. */
  readonly extra: ReadonlyMap<string, unknown>;
}

export interface EventsInfo {
  readonly source: Source;
  /** The position after these events. */
  readonly lastEventId: number;
}

/** The functions of the app. They must not change the objects, because the session stores them and sends them to other tabs. */
export interface SessionHandlers {
  /** Replaces everything that the app knows. A call with the source `store` is followed by one call of `onEvents`, in the same task. */
  readonly onState?: ((state: InitialState, info: StateInfo) => void) | undefined;
  /** The next events, in order. Each one comes once. Never empty, unless the source is `store`. */
  readonly onEvents?: ((events: readonly ServerEvent[], info: EventsInfo) => void) | undefined;
}

/** A problem that the session survived. */
export interface Problem {
  readonly kind: /** `onState` or `onEvents` threw an error. The session registers again, or skips the events if that did not help. */
    | 'app'
    /** The browser's storage does not work. The session continues without it, and a reload registers again. */
    | 'storage';
  readonly error: unknown;
}

/** An app that throws at each event must not register all the time: at most this many times... */
const MAX_REPAIRS = 3;
/** ...within this time, in milliseconds. */
const REPAIRS_WITHIN_MS = 600_000;

const NOTHING: ReadonlyMap<string, unknown> = new Map();

export interface ConsumerOptions extends SessionHandlers {
  readonly onProblem: (problem: Problem) => void;
  /** Called if the app may have an inconsistent state. */
  readonly onDamage: () => void;
}

export class Consumer {
  readonly #options: ConsumerOptions;
  readonly #repairs = new RateGuard(MAX_REPAIRS, REPAIRS_WITHIN_MS);

  constructor(options: ConsumerOptions) {
    this.#options = options;
  }

  /** Hands a stored state over. Returns false if the app cannot read it. */
  restore(snapshot: Snapshot, extra: ReadonlyMap<string, unknown>): boolean {
    const { state, previousEventId, lastEventId, events } = snapshot;
    const { onState, onEvents, onProblem } = this.#options;
    try {
      onState?.(state, { source: 'store', lastEventId: previousEventId, extra });
      onEvents?.(events, { source: 'store', lastEventId });
      return true;
    } catch (error) {
      onProblem({ kind: 'app', error });
      return false;
    }
  }

  state({ state, previousEventId, lastEventId, events }: Snapshot): void {
    this.#guard(() => {
      this.#options.onState?.(state, { source: 'server', lastEventId: previousEventId, extra: NOTHING });
      if (events.length > 0) this.#options.onEvents?.(events, { source: 'server', lastEventId });
    });
  }

  events(events: readonly ServerEvent[], lastEventId: number): void {
    if (events.length === 0) return;
    this.#guard(() => this.#options.onEvents?.(events, { source: 'server', lastEventId }));
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.onProblem({ kind: 'app', error });
      if (this.#repairs.allows()) this.#options.onDamage();
    }
  }
}
