import { Subject } from '@heddle/client/model/changes.ts';
import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import type { ComposeRequest } from '../compose-store.ts';
import {
  type ComposeTarget,
  draftTargetOf,
  keyOfTarget,
  placeOfTarget,
  targetOfDraft,
  targetOfPlace,
} from '../target/target.ts';
import { BoxText } from '../text/box-text.ts';
import type { DraftEntry, DraftsSync } from './drafts-sync.ts';
import { type LiveSession, liveSessions } from './live-sessions.ts';

/** The longest time between a key press and the stored draft, in milliseconds. */
const SAVE_AFTER_MS = 300;

/** What a session needs of the app. */
export interface SessionContext {
  readonly drafts: DraftsSync;
  readonly ownId: number;
  /** Removes from a restored draft what belonged to the page that wrote it. */
  readonly clean: (text: string) => string;
}

/**
 * One text from its beginning until the user goes elsewhere: its target, its text and its draft. Sending begins the next
 * message in the same session.
 */
export class ComposeSession implements LiveSession {
  readonly text: BoxText;
  /** Notified of everything but the text. */
  readonly changes = new Subject();
  /** Notified when the user sent the message. */
  readonly sends = new Subject();
  readonly #drafts: DraftsSync;
  readonly #ownId: number;
  readonly #clean: (text: string) => string;
  #target: ComposeTarget;
  #draftId: string | undefined;
  /** The text as it was saved last. */
  #saved = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How often the user tried to send the text while a warning prevented it. */
  attempts = 0;
  /** Whether the server is asked to send the text later. Until it responds, the text is not sent and not scheduled again. */
  isScheduling = false;
  /** Warnings that the user has confirmed or dismissed, by key. */
  readonly #dismissed = new Set<string>();

  /** @param request where to write; without content it continues the draft of the place */
  constructor({ drafts, ownId, clean }: SessionContext, request: ComposeRequest, fallback: ComposeTarget) {
    this.#drafts = drafts;
    this.#ownId = ownId;
    this.#clean = clean;
    this.#target = request.place === undefined ? fallback : targetOfPlace(request.place, ownId);
    const entry = this.#entryOf(request);
    if (entry !== undefined) {
      this.#draftId = entry.localId;
      this.#target = request.place === undefined ? targetOfDraft(entry.target) : this.#target;
      this.#saved = entry.content;
    }
    this.text = new BoxText(request.content ?? clean(entry?.content ?? ''));
  }

  get target(): ComposeTarget {
    return this.#target;
  }

  get place(): Place | undefined {
    return placeOfTarget(this.#target, this.#ownId);
  }

  get placeKey(): string | undefined {
    const { place } = this;
    return place === undefined ? undefined : keyOf(place);
  }

  setTarget(target: ComposeTarget): void {
    this.#target = target;
    this.#dismissed.clear();
    this.save();
    this.changes.changed();
  }

  /** Whether the user tried to send the text. */
  get isAttempted(): boolean {
    return this.attempts > 0;
  }

  /** A warning prevented sending. */
  stopped(): void {
    this.attempts += 1;
    this.changes.changed();
  }

  isDismissed(warning: string): boolean {
    return this.#dismissed.has(warning);
  }

  dismiss(warning: string): void {
    this.#dismissed.add(warning);
    this.changes.changed();
  }

  /** Saves while the user writes, and follows edits of the draft by other devices. Returns a function that ends this. */
  start(): () => void {
    const ends = [
      this.text.edits.subscribe(() => {
        this.#timer ??= setTimeout(() => this.save(), SAVE_AFTER_MS);
      }),
      this.#drafts.changes.subscribe(() => this.#draftChanged()),
    ];
    const save = (): void => this.save();
    liveSessions.add(this);
    window.addEventListener('pagehide', save);
    document.addEventListener('visibilitychange', save);
    if (this.text.value !== this.#saved) this.save();
    return () => {
      for (const end of ends) end();
      window.removeEventListener('pagehide', save);
      document.removeEventListener('visibilitychange', save);
      this.save();
      liveSessions.delete(this);
    };
  }

  save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { value } = this.text;
    this.#draftId = this.#drafts.save(this.#draftId, draftTargetOf(this.#target), value);
    this.#saved = value;
  }

  /** The text can be in another draft since it was sent or continued elsewhere, so this looks at all of this page. */
  replaceStored(part: string, text: string): boolean {
    return this.#drafts.replaceIn(part, text);
  }

  /** Begins another text at the same place, for example with a restored draft. The present text stays a draft. */
  replaceText(request: ComposeRequest): void {
    this.save();
    const entry = this.#entryOf(request);
    this.#draftId = entry?.localId;
    this.#saved = entry?.content ?? '';
    this.text.set(request.content ?? this.#clean(entry?.content ?? ''));
    this.changes.changed();
  }

  /** Takes the text to send it. The box is empty then, and the draft is deleted. */
  take(): string {
    const content = this.text.value.trim();
    if (this.#draftId !== undefined) this.#drafts.discard(this.#draftId);
    this.#empty();
    return content;
  }

  /** Takes the text out of the box to send it later. Its draft stays until then. Returns the id of the draft. */
  takeHeld(): string | undefined {
    this.save();
    const draftId = this.#draftId;
    if (draftId !== undefined) this.#drafts.hold(draftId);
    this.#empty();
    return draftId;
  }

  #empty(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draftId = undefined;
    this.#saved = '';
    this.#dismissed.clear();
    this.attempts = 0;
    this.text.set('');
    this.sends.changed();
    this.changes.changed();
  }

  #entryOf(request: ComposeRequest): DraftEntry | undefined {
    const { place, localDraftId, draftId, content } = request;
    const local = localDraftId === undefined ? undefined : this.#drafts.get(localDraftId);
    if (local !== undefined) return local;
    if (draftId !== undefined) return this.#drafts.find(({ serverId }) => serverId === draftId);
    if (place === undefined || content !== undefined) return undefined;
    const key = keyOf(place);
    return this.#drafts.find(({ target }) => keyOfTarget(targetOfDraft(target), this.#ownId) === key);
  }

  #draftChanged(): void {
    // The user has typed since. The own edit is newer.
    if (this.#draftId === undefined || this.text.value !== this.#saved) return;
    const entry = this.#drafts.get(this.#draftId);
    const content = entry?.content ?? '';
    if (entry === undefined) this.#draftId = undefined;
    if (content === this.#saved) return;
    this.#saved = content;
    this.text.set(content);
  }
}
