import type { Presenter } from '../directory/presenters.ts';
import type { DueKind } from '../jobs/due-rows.ts';
import type { Job } from '../jobs/kind.ts';
import type { Mailing } from '../mail/kind.ts';
import type { Attempts } from './attempts.ts';
import type { StatePart } from './initial-state.ts';
import type { HeddleRoute, Rooms } from './rooms.ts';

/** What all features bring together, for the one that reads it (the initial state). */
export interface AllFeatures {
  readonly stateParts: readonly StatePart[];
}

type Presenting = Readonly<Record<string, Presenter>>;
/** What goes on for as long as the process serves. */
export interface Running {
  start(): void;
  /** Begins nothing more, and waits for what was begun, for so long. */
  stop(withinMilliseconds: number): Promise<void>;
}

/**
 * What a feature gives to the server: one value, exported by the `index.ts` of its folder and listed in `app.ts`. Whatever it leaves out
 * it does not have.
 */
export interface Feature {
  /** Its folder. */
  readonly name: string;
  /** The contract's endpoints that it serves. */
  routes?(rooms: Rooms, all: AllFeatures): readonly HeddleRoute[];
  /** Its part of what `POST /register` answers. */
  state?(rooms: Rooms): readonly StatePart[];
  /** What an attacker tries on its operations: every feature with routes has some. */
  readonly attempts?: Attempts;
  /** How the event types look that it announces, by the wire's type; with the server's secret, where something in them is derived from it. */
  readonly presenters?: Presenting | ((rooms: Pick<Rooms, 'secret'>) => Presenting);
  /** What it does later or in the background, by kind. */
  jobs?(rooms: Rooms): readonly Job[];
  /** The mails that it causes, by kind. */
  mailings?(rooms: Rooms): readonly Mailing[];
  /** What it does when rows of its own say so. */
  dueRows?(rooms: Rooms): readonly DueKind[];
  /** What it does beside requests that is neither: what waits for somebody else's server must keep no job waiting. */
  runs?(rooms: Rooms): Running;
}

/** How the event types look that the feature announces. */
export function presentersOf({ presenters = {} }: Feature, rooms: Pick<Rooms, 'secret'>): Presenting {
  return typeof presenters === 'function' ? presenters(rooms) : presenters;
}
