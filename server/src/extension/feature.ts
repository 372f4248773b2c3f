import type { Database } from '../db/schema.ts';
import type { Hooks } from '../directory/change.ts';
import type { AnyPart } from '../directory/part.ts';
import type { Presenter } from '../directory/presenters.ts';
import type { LogConsumer } from '../jobs/consumers.ts';
import type { Job } from '../jobs/kind.ts';
import type { ScheduledKind } from '../jobs/scheduler.ts';
import type { Mailing } from '../mail/kind.ts';
import type { AppContext, HeddleRoute } from './app-context.ts';
import type { TableExport } from './exports.ts';
import type { StatePart } from './initial-state.ts';

/** Parts of all features, for the features that serve the initial state and the data export. */
export interface AllFeatures {
  readonly stateParts: readonly StatePart[];
  readonly exports: readonly TableExport[];
}

type Presenting = Readonly<Record<string, Presenter>>;
/** Work for as long as the process serves. */
export interface Running {
  /** The server starts only if this resolves. */
  start(): Promise<void>;
  /** Starts no new work, and waits at most this long for started work. */
  stop(withinMilliseconds: number): Promise<void>;
}

/**
 * Everything that a folder of `domain/` or `features/` adds to the server. The folder's `index.ts` exports one such value, and
 * `all-features.ts` finds it. A part that is left out does not exist.
 */
export interface Feature {
  /** Handlers of endpoints of the contract. */
  routes?(app: AppContext, all: AllFeatures): readonly HeddleRoute[];
  /** Its parts of the response to `POST /register`. */
  state?(app: AppContext): readonly StatePart[];
  /** Its parts of the directory. */
  readonly directory?: readonly AnyPart[];
  /** Its work within transactions of the domain. */
  readonly hooks?: Partial<Hooks>;
  /** Presenters of its events, by event type. A function gets the server's secret if a field is derived from it. */
  readonly presenters?: Presenting | ((app: Pick<AppContext, 'secret'>) => Presenting);
  /** Its background work, by kind. */
  jobs?(app: AppContext, all: AllFeatures): readonly Job[];
  /** Its mails, by kind. */
  mailings?(app: AppContext): readonly Mailing[];
  /** Work that starts at the time in a row. */
  scheduled?(app: AppContext): readonly ScheduledKind[];
  /** Its background readers of the log. */
  consumers?(app: AppContext): readonly LogConsumer[];
  /** Its tables in a data export. A test requires that each table of an organization is named once. */
  readonly exports?: readonly TableExport[];
  /** Its tables whose rows wait for another service while they have `due_at`, by the name of the service. The metrics count those. */
  readonly backlogs?: Readonly<Record<string, keyof Database>>;
  /** Other work beside requests. Calls to other servers belong here, because they must not block jobs. */
  runs?(app: AppContext): Running;
}

/** The presenters of the feature. */
export function presentersOf({ presenters = {} }: Feature, app: Pick<AppContext, 'secret'>): Presenting {
  return typeof presenters === 'function' ? presenters(app) : presenters;
}

/** Calls the hooks of all features, in the order of the features. */
export function hooksOf(features: readonly Feature[]): Hooks {
  const all = features.flatMap(({ hooks }) => hooks ?? []);
  return {
    async messagesDeleted(change, messageIds) {
      for (const hooks of all) await hooks.messagesDeleted?.(change, messageIds);
    },
    async messagesMoved(change, move) {
      for (const hooks of all) await hooks.messagesMoved?.(change, move);
    },
    async holderChanged(change, account) {
      for (const hooks of all) await hooks.holderChanged?.(change, account);
    },
    async settingChanged(change, userId, setting) {
      for (const hooks of all) await hooks.settingChanged?.(change, userId, setting);
    },
  };
}

/** A feature with the path of its folder below `server/src/`, such as `features/drafts`. */
export interface FoundFeature extends Feature {
  readonly folder: string;
}
