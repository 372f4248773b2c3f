import type { Logger } from 'pino';
import type { LoggedEvent } from './event.ts';
import type { Queue, QueueSettings } from './queue.ts';

/** What the readers of an organization's events are known by: the directory, which holds a record of each. */
export interface Readers {
  user(id: number): { readonly id: number } | undefined;
}

/** A reader's record, as it is now. */
export type ViewerOf<Directory extends Readers> = NonNullable<ReturnType<Directory['user']>>;

/**
 * How one wire type looks to those who read it. An event becomes bytes once for each distinct variant (I4); what is personal is
 * spliced in. Each function may ask who reads and what the organization is like now, so that nobody is shown more than they may see
 * now; what `present` makes of that must follow from the variant's name.
 */
export interface EventPresenter<Directory extends Readers = Readers> {
  /**
   * Names the presentation that a reader gets; readers with the same name get the same bytes. By the settings of their queues, and by
   * facts that many viewers share (a role, a setting of the organization), never one name for each. Default: one for all.
   */
  variant?(settings: QueueSettings, viewer: ViewerOf<Directory>, directory: Directory, event: LoggedEvent): string;
  /** The wire event without `id` and personal fields; null where this variant does not get it. */
  present(
    event: LoggedEvent,
    settings: QueueSettings,
    viewer: ViewerOf<Directory>,
    directory: Directory,
  ): object | null;
  /** Personal fields as JSON members (`"flags":["read"]`), or the empty string. */
  personal?(event: LoggedEvent, queue: Queue, viewer: ViewerOf<Directory>, directory: Directory): string;
  /** Whether this queue wants the event at all, beyond its type and audience. */
  wants?(event: LoggedEvent, queue: Queue, viewer: ViewerOf<Directory>, directory: Directory): boolean;
  /** The messages that are no more after the event: what earlier events tell of them is not to be shown any longer. */
  erases?(event: LoggedEvent): readonly number[];
}

/** An event as one presentation has it: the JSON without its last brace, and complete with the personal fields that readers share. */
interface Presentation {
  readonly shared: string;
  readonly byPersonal: Map<string, Buffer>;
}

/** Most readers of an event have one of a few sets of personal fields (none, `"flags":[]`, …); rarer ones are spliced each time. */
const REMEMBERED = 8;

/** A line in the log for the same type of event comes at most this often, in milliseconds. */
const REPORT_EVERY = 60_000;

/** The presenters of all wire types. The app fills it; an event of a type that has none is a defect, or of a newer version. */
export class Presenters<Directory extends Readers = Readers> {
  readonly #presenters = new Map<string, EventPresenter<Directory>>();
  readonly #presentations = new WeakMap<LoggedEvent, Map<string, Presentation | null>>();
  readonly #reportedAt = new Map<string, number>();
  #skipped = 0;

  /** How often a reader had to go on past an event that could not be presented to them, since the process began. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Whether events of this type exist. */
  has(type: string): boolean {
    return this.#presenters.has(type);
  }

  add(type: string, presenter: EventPresenter<Directory>): void {
    if (this.#presenters.has(type)) throw new Error(`two presenters for events of type ${type}`);
    this.#presenters.set(type, presenter);
  }

  /** Whether the queue asked for this event: by type, and by what the presenter adds. Not whether its user is in the audience. */
  wanted(event: LoggedEvent, queue: Queue, viewer: ViewerOf<Directory>, directory: Directory): boolean {
    const types = queue.settings.eventTypes;
    if (types !== null && !types.includes(event.type)) return false;
    return this.#presenterOf(event).wants?.(event, queue, viewer, directory) ?? true;
  }

  /** See `EventPresenter.erases`. Nothing for an event that this build does not know, or not in this form. */
  erasedBy(event: LoggedEvent): readonly number[] {
    if (event.body === null) return [];
    return this.#presenters.get(event.type)?.erases?.(event) ?? [];
  }

  /** The wire event as JSON bytes for this queue; null where its presentation leaves it out. */
  serialize(event: LoggedEvent, queue: Queue, viewer: ViewerOf<Directory>, directory: Directory): Buffer | null {
    const presenter = this.#presenterOf(event);
    const variant = presenter.variant?.(queue.settings, viewer, directory, event) ?? '';
    let variants = this.#presentations.get(event);
    if (variants === undefined) {
      variants = new Map();
      this.#presentations.set(event, variants);
    }
    let presentation = variants.get(variant);
    if (presentation === undefined) {
      presentation = presentationOf(event, presenter.present(event, queue.settings, viewer, directory));
      variants.set(variant, presentation);
    }
    if (presentation === null) return null;
    const personal = presenter.personal?.(event, queue, viewer, directory) ?? '';
    let bytes = presentation.byPersonal.get(personal);
    if (bytes === undefined) {
      bytes = Buffer.from(personal === '' ? `${presentation.shared}}` : `${presentation.shared},${personal}}`);
      if (presentation.byPersonal.size < REMEMBERED) presentation.byPersonal.set(personal, bytes);
    }
    return bytes;
  }

  /** Counts and logs that a reader goes on past the event: it must neither hold them up for ever nor vanish in silence. */
  skip(event: LoggedEvent, error: unknown, log: Logger): void {
    this.#skipped += 1;
    const { organizationId, id, type } = event;
    const now = Date.now();
    if (now < (this.#reportedAt.get(type) ?? Number.NEGATIVE_INFINITY) + REPORT_EVERY) return;
    // Types come from the table: whatever stands there must not fill the memory.
    if (this.#reportedAt.size >= REPORTED_TYPES) this.#reportedAt.clear();
    this.#reportedAt.set(type, now);
    const facts = { err: error, organization: organizationId, event: id, type, skipped: this.#skipped };
    log.error(facts, 'an event cannot be presented; readers go on past it');
  }

  #presenterOf(event: LoggedEvent): EventPresenter<Directory> {
    const presenter = this.#presenters.get(event.type);
    if (presenter === undefined) throw new Error(`no presenter for events of type ${event.type}`);
    return presenter;
  }
}

const REPORTED_TYPES = 1000;

/** @param presented undefined where the body comes from a later version, in a form that the presenter has no case for */
function presentationOf({ id, type }: LoggedEvent, presented: object | null | undefined): Presentation | null {
  if (presented === null) return null;
  if (presented === undefined) throw new Error(`an event of type ${type} in a form that this build does not know`);
  return { shared: JSON.stringify({ id, ...presented }).slice(0, -1), byPersonal: new Map() };
}
