import { Subject } from '@heddle/client/model/changes.ts';
import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';

/** What the compose box should do next. */
export interface ComposeRequest {
  /** Where to write. Undefined: the user chooses. */
  readonly place: Place | undefined;
  /** What the user chooses if `place` is undefined. Default: a topic. */
  readonly kind?: 'topic' | 'direct';
  /** The chosen channel if `place` is undefined. The user chooses the topic. */
  readonly channelId?: number;
  /** The app opens it without being asked, in the view of `channelId`. Without a text, it closes when the user goes elsewhere. */
  readonly isOffered?: boolean;
  /** Markdown that replaces the text. Undefined: the draft of the place, or nothing. */
  readonly content?: string;
  /** The stored draft that is continued. */
  readonly draftId?: number;
  /** The draft of this browser that is continued. */
  readonly localDraftId?: string;
}

/**
 * The compose box of the app, for all who open it: shortcuts, cards, drafts, quotes. The box itself holds the text while
 * somebody writes.
 */
export class ComposeStore {
  readonly changes = new Subject();
  /** Undefined while the box is closed. In a conversation it is always open. */
  request: ComposeRequest | undefined;
  /** How often a request was made. Each request is handled once. */
  opened = 0;
  /** Text to insert at the cursor. The box takes it. */
  #insertions: string[] = [];
  #wantsFocus = false;
  /** Files to upload. The box takes them. */
  #files: File[] = [];

  /** Opens the box and moves the focus into it. */
  open(request: ComposeRequest): void {
    this.request = request;
    this.opened += 1;
    this.focus();
  }

  /** The box has taken the text of the request. So the text is not inserted twice if the box moves to another place. */
  taken(request: ComposeRequest): void {
    if (this.request !== request) return;
    const { content: _, draftId: __, localDraftId: ___, ...rest } = request;
    this.request = rest;
  }

  close(): void {
    this.request = undefined;
    this.changes.changed();
  }

  /** Moves the focus into the box, if it is open. */
  focus(): void {
    this.#wantsFocus = true;
    this.changes.changed();
  }

  /** Inserts text at the cursor, for example a quote or a mention. */
  insert(text: string): void {
    this.#insertions.push(text);
    this.focus();
  }

  /** Uploads files into the open box, for example those that were dropped on the feed. */
  addFiles(files: readonly File[]): void {
    this.#files.push(...files);
    this.focus();
  }

  /** Whether somebody asked for the focus since the last call. */
  takeFocus(): boolean {
    const wanted = this.#wantsFocus;
    this.#wantsFocus = false;
    return wanted;
  }

  takeInsertions(): readonly string[] {
    const taken = this.#insertions;
    this.#insertions = [];
    return taken;
  }

  takeFiles(): readonly File[] {
    const taken = this.#files;
    this.#files = [];
    return taken;
  }

  /** A conversation got another name. An open request follows it. */
  moved(from: Place, to: Place): void {
    if (this.request === undefined || !this.isAt(from)) return;
    this.request = { ...this.request, place: to };
    this.changes.changed();
  }

  isAt(place: Place): boolean {
    return this.request?.place !== undefined && keyOf(this.request.place) === keyOf(place);
  }
}

/** The one of this page. */
export const composeStore = new ComposeStore();
