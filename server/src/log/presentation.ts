import type { LoggedEvent } from './event.ts';
import type { Queue, QueueSettings } from './queue.ts';

/**
 * How one wire type looks to those who read it. An event becomes bytes once for each distinct variant (I4); what is personal is
 * spliced in.
 */
export interface EventPresenter {
  /** Names the presentation that these settings get; settings with the same name get the same bytes. Default: one for all. */
  variant?(settings: QueueSettings): string;
  /** The wire event without `id` and personal fields; null where these settings do not get it. */
  present(event: LoggedEvent, settings: QueueSettings): object | null;
  /** Personal fields as JSON members (`"flags":["read"]`), or the empty string. */
  personal?(event: LoggedEvent, queue: Queue): string;
  /** Whether this queue wants the event at all, beyond its type and audience. */
  wants?(event: LoggedEvent, queue: Queue): boolean;
}

/** An event as one presentation has it: the JSON without its last brace, and complete with the personal fields that readers share. */
interface Presentation {
  readonly shared: string;
  readonly byPersonal: Map<string, Buffer>;
}

/** Most readers of an event have one of a few sets of personal fields (none, `"flags":[]`, …); rarer ones are spliced each time. */
const REMEMBERED = 8;

/** The presenters of all wire types. The app fills it; an event of a type that has none is a defect and is reported as such. */
export class Presenters {
  readonly #presenters = new Map<string, EventPresenter>();
  readonly #presentations = new WeakMap<LoggedEvent, Map<string, Presentation | null>>();

  add(type: string, presenter: EventPresenter): void {
    if (this.#presenters.has(type)) throw new Error(`two presenters for events of type ${type}`);
    this.#presenters.set(type, presenter);
  }

  /** Whether the queue asked for this event: by type, and by what the presenter adds. Not whether its user is in the audience. */
  wanted(event: LoggedEvent, queue: Queue): boolean {
    const types = queue.settings.eventTypes;
    if (types !== null && !types.includes(event.type)) return false;
    return this.#presenterOf(event).wants?.(event, queue) ?? true;
  }

  /** The wire event as JSON bytes for this queue; null where its presentation leaves it out. */
  serialize(event: LoggedEvent, queue: Queue): Buffer | null {
    const presenter = this.#presenterOf(event);
    const variant = presenter.variant?.(queue.settings) ?? '';
    const presentation = this.#presentationOf(event, variant, presenter, queue);
    if (presentation === null) return null;
    const personal = presenter.personal?.(event, queue) ?? '';
    let bytes = presentation.byPersonal.get(personal);
    if (bytes === undefined) {
      bytes = Buffer.from(personal === '' ? `${presentation.shared}}` : `${presentation.shared},${personal}}`);
      if (presentation.byPersonal.size < REMEMBERED) presentation.byPersonal.set(personal, bytes);
    }
    return bytes;
  }

  #presentationOf(event: LoggedEvent, variant: string, presenter: EventPresenter, queue: Queue): Presentation | null {
    let variants = this.#presentations.get(event);
    if (variants === undefined) {
      variants = new Map();
      this.#presentations.set(event, variants);
    }
    let presentation = variants.get(variant);
    if (presentation === undefined) {
      const presented = presenter.present(event, queue.settings);
      presentation =
        presented === null
          ? null
          : { shared: JSON.stringify({ id: event.id, ...presented }).slice(0, -1), byPersonal: new Map() };
      variants.set(variant, presentation);
    }
    return presentation;
  }

  #presenterOf(event: LoggedEvent): EventPresenter {
    const presenter = this.#presenters.get(event.type);
    if (presenter === undefined) throw new Error(`no presenter for events of type ${event.type}`);
    return presenter;
  }
}
