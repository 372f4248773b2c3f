import type { Draft, EventOfType, InitialState } from '../../calls/types.ts';
import { KeyedSubject, Subject } from '../changes.ts';

/** Where a draft goes. */
export type DraftTarget =
  | { readonly kind: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }
  /** The user has not chosen a conversation. */
  | { readonly kind: 'none' };

/** A draft that the server stores. */
export interface DraftRecord {
  readonly id: number;
  readonly target: DraftTarget;
  /** Markdown source. */
  readonly content: string;
  /** The last edit, in seconds since the epoch. */
  readonly editedAt: number;
}

/**
 * The drafts that the server synchronizes. Drafts that only this device has are not here.
 *
 * When the user turns the synchronization off (`enable_drafts_synchronization`), the server deletes its drafts without
 * an event, and clients keep their copies.
 */
export class Drafts {
  /** Notified when any draft changed. */
  readonly changes = new Subject();
  /** The same for one draft. */
  readonly changesOf = new KeyedSubject<number>();
  readonly #drafts = new Map<number, DraftRecord>();
  #newestFirst: readonly DraftRecord[] | undefined;

  constructor(state: InitialState) {
    for (const draft of state.drafts ?? []) this.#drafts.set(draft.id, draftRecord(draft));
  }

  /** The last edited draft is first. The same array until a change. */
  get newestFirst(): readonly DraftRecord[] {
    this.#newestFirst ??= [...this.#drafts.values()].sort((a, b) => b.editedAt - a.editedAt || b.id - a.id);
    return this.#newestFirst;
  }

  get(draftId: number): DraftRecord | undefined {
    return this.#drafts.get(draftId);
  }

  apply(event: EventOfType<'drafts'>): void {
    switch (event.op) {
      case 'add':
        for (const draft of event.drafts) this.#put(draft);
        break;
      case 'update':
        this.#put(event.draft);
        break;
      case 'remove':
        this.#drafts.delete(event.draft_id);
        this.#notify(event.draft_id);
    }
  }

  #put(draft: Draft): void {
    this.#drafts.set(draft.id, draftRecord(draft));
    this.#notify(draft.id);
  }

  #notify(draftId: number): void {
    this.#newestFirst = undefined;
    this.changes.changed();
    this.changesOf.changed(draftId);
  }

  /** The content in comparable form. */
  plain(): object {
    return [...this.#drafts.values()].sort((a, b) => a.id - b.id);
  }
}

function draftRecord({ id, type, to, topic, content, timestamp }: Draft): DraftRecord {
  return { id, target: targetOf(type, to, topic), content, editedAt: timestamp };
}

function targetOf(type: Draft['type'], to: readonly number[], topic: string): DraftTarget {
  const [channelId] = to;
  if (type === 'private') return { kind: 'direct', userIds: to };
  return type === 'stream' && channelId !== undefined ? { kind: 'channel', channelId, topic } : { kind: 'none' };
}
