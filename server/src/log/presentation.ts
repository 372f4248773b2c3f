import type { Logger } from 'pino';
import type { LoggedEvent } from './event.ts';
import type { Queue, QueueSettings } from './queue.ts';

/** The directory, which has a record of each reader of an organization's events. */
export interface Readers {
  user(id: number): { readonly id: number } | undefined;
}

/** The current record of a reader. */
export type ViewerOf<Directory extends Readers> = NonNullable<ReturnType<Directory['user']>>;

/**
 * Turns events of one type into what clients receive. An event becomes bytes once for each variant (I4); personal
 * fields are spliced in.
 *
 * Each function may ask for the reader and the current state of the organization, so that readers see only what they
 * may see now. What `present` returns must follow from the name of the variant. For example, if it depends on whether
 * the reader is a guest, guests need a variant of their own. Otherwise a guest could receive the bytes that were made
 * for a member.
 */
export interface EventPresenter<Directory extends Readers = Readers> {
  /**
   * Names the presentation for a reader. Readers with the same name receive the same bytes. The name may depend on the
   * queue's settings and on properties that many readers share, such as a role; never use one name per reader. Default:
   * one variant for all.
   */
  variant?(settings: QueueSettings, viewer: ViewerOf<Directory>, directory: Directory, event: LoggedEvent): string;
  /** Returns the wire event without `id` and personal fields. Null: this variant does not receive the event. */
  present(
    event: LoggedEvent,
    settings: QueueSettings,
    viewer: ViewerOf<Directory>,
    directory: Directory,
  ): object | null;
  /** Returns personal fields as JSON members (`"flags":["read"]`), or the empty string. */
  personal?(event: LoggedEvent, queue: Queue, viewer: ViewerOf<Directory>, directory: Directory): string;
  /** Whether this queue wants the event, in addition to its type and audience. */
  wants?(event: LoggedEvent, queue: Queue, viewer: ViewerOf<Directory>, directory: Directory): boolean;
  /** Returns the messages that the event deletes. Earlier events must not show them any longer. */
  erases?(event: LoggedEvent): readonly number[];
}

/**
 * One presentation of an event: the JSON without its last brace, and the complete bytes for common sets of personal
 * fields.
 */
interface Presentation {
  readonly shared: string;
  readonly byPersonal: Map<string, Buffer>;
}

/**
 * Limits the sets of personal fields that are kept per presentation. Most readers share a few (none, `"flags":[]`, …).
 */
const MAX_PERSONAL_VARIANTS = 8;

/** The shortest time between two log lines about the same event type, in milliseconds. */
const MIN_MS_BETWEEN_REPORTS = 60_000;

/**
 * The presenters of all wire types. The app registers them. An event without a presenter is a defect, or comes from a
 * newer version.
 */
export class Presenters<Directory extends Readers = Readers> {
  readonly #presenters = new Map<string, EventPresenter<Directory>>();
  readonly #presentations = new WeakMap<LoggedEvent, Map<string, Presentation | null>>();
  readonly #reportedAt = new Map<string, number>();
  #skipped = 0;

  /** How many times a reader skipped an event that could not be presented, since the process started. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Whether a presenter for this type is registered. */
  has(type: string): boolean {
    return this.#presenters.has(type);
  }

  add(type: string, presenter: EventPresenter<Directory>): void {
    if (this.#presenters.has(type)) throw new Error(`two presenters for events of type ${type}`);
    this.#presenters.set(type, presenter);
  }

  /** Whether the queue wants this event, by its type and the presenter's `wants`. The audience is not checked here. */
  wanted(event: LoggedEvent, queue: Queue, viewer: ViewerOf<Directory>, directory: Directory): boolean {
    const types = queue.settings.eventTypes;
    if (types !== null && !types.includes(event.type)) return false;
    return this.#presenterOf(event).wants?.(event, queue, viewer, directory) ?? true;
  }

  /** See `EventPresenter.erases`. Empty for an event that this build does not know, or whose body was redacted. */
  erasedBy(event: LoggedEvent): readonly number[] {
    if (event.body === null) return [];
    return this.#presenters.get(event.type)?.erases?.(event) ?? [];
  }

  /** Returns the wire event as JSON bytes for this queue; null if its variant does not receive the event. */
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
      if (presentation.byPersonal.size < MAX_PERSONAL_VARIANTS) presentation.byPersonal.set(personal, bytes);
    }
    return bytes;
  }

  /**
   * Counts and logs that a reader skips the event. A bad event must not block a reader for ever, and it must not vanish
   * unnoticed.
   */
  skip(event: LoggedEvent, error: unknown, log: Logger): void {
    this.#skipped += 1;
    const { organizationId, id, type } = event;
    const now = Date.now();
    if (now < (this.#reportedAt.get(type) ?? Number.NEGATIVE_INFINITY) + MIN_MS_BETWEEN_REPORTS) return;
    // Types come from the table, so their number must be bounded here.
    if (this.#reportedAt.size >= MAX_REPORTED_TYPES) this.#reportedAt.clear();
    this.#reportedAt.set(type, now);
    const facts = { err: error, organization: organizationId, event: id, type, skipped: this.#skipped };
    log.error(facts, 'cannot present an event; readers skip it');
  }

  #presenterOf(event: LoggedEvent): EventPresenter<Directory> {
    const presenter = this.#presenters.get(event.type);
    if (presenter === undefined) throw new Error(`no presenter for events of type ${event.type}`);
    return presenter;
  }
}

const MAX_REPORTED_TYPES = 1000;

/** @param presented undefined if a newer version wrote the body in a form that the presenter does not handle */
function presentationOf({ id, type }: LoggedEvent, presented: object | null | undefined): Presentation | null {
  if (presented === null) return null;
  if (presented === undefined) throw new Error(`this build does not know the form of an event of type ${type}`);
  return { shared: JSON.stringify({ id, ...presented }).slice(0, -1), byPersonal: new Map() };
}
