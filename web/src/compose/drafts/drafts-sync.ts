import { ApiError, isTemporary } from '@heddle/client/calls/errors.ts';
import type { Caller } from '@heddle/client/calls/operation.ts';
import { createDrafts, deleteDraft, editDraft } from '@heddle/client/calls/operations.ts';
import { Subject } from '@heddle/client/model/changes.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { DraftRecord, DraftTarget } from '@heddle/client/model/own/drafts.ts';
import type { DraftStorage, LocalDraft } from './draft-storage.ts';
import { wireDraft } from './wire-draft.ts';

/** A draft of this browser or of the server. */
export interface DraftEntry {
  /** Undefined if only the server has it. */
  readonly localId: string | undefined;
  readonly serverId: number | undefined;
  readonly target: DraftTarget;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly editedAt: number;
}

export interface DraftsSyncOptions {
  readonly connection: Caller;
  readonly storage: DraftStorage;
  /** How long a draft rests before it is sent, in milliseconds. */
  readonly pauseMs?: number;
  /** Resolves when another attempt makes sense after a failure. */
  readonly untilRetry?: (attempt: number) => Promise<void>;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: () => number;
}

const PAUSE_MS = 2_000;
const MAX_RETRY_PAUSE_MS = 30_000;

type Followed = Pick<Model, 'drafts' | 'account'>;

/**
 * The drafts of this browser, and their synchronization with those of the server. Invariants:
 * - A saved draft survives the page at once, and reaches the server after a pause.
 * - The last edit wins, whichever device made it.
 * - A deleted draft stays stored as deleted until the server has deleted it. So it does not come back.
 * - Each draft is synchronized by one page.
 */
export class DraftsSync {
  readonly changes = new Subject();
  readonly #connection: Caller;
  readonly #storage: DraftStorage;
  readonly #pauseMs: number;
  readonly #untilRetry: (attempt: number) => Promise<void>;
  readonly #now: () => number;
  readonly #drafts = new Map<string, LocalDraft>();
  #model: Followed | undefined;
  #unsubscribe: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  /** Drafts of messages that waited for their files when their page ended. */
  #left: DraftEntry[] = [];

  constructor({ connection, storage, pauseMs = PAUSE_MS, untilRetry = pause, now = Date.now }: DraftsSyncOptions) {
    this.#now = now;
    this.#connection = connection;
    this.#storage = storage;
    this.#pauseMs = pauseMs;
    this.#untilRetry = untilRetry;
    for (const draft of storage.load()) this.#drafts.set(draft.localId, draft);
    storage.onForeignChange((localId, draft) => {
      if (draft === undefined) this.#drafts.delete(localId);
      else this.#drafts.set(localId, draft);
      this.changes.changed();
    });
  }

  /** Synchronizes with the drafts of this model from now on. */
  follow(model: Followed): void {
    if (this.#model === model) return;
    this.#unsubscribe?.();
    const isFirst = this.#model === undefined;
    this.#model = model;
    const unsubscribe = [
      model.drafts.changes.subscribe(() => this.#serverChanged()),
      model.account.changes.subscribe(() => this.#schedule()),
    ];
    this.#unsubscribe = () => {
      for (const end of unsubscribe) end();
    };
    if (isFirst) this.#adoptLeft();
    this.#serverChanged();
    this.#schedule();
  }

  stop(): void {
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
  }

  /** All drafts, the last edited one first. */
  list(): readonly DraftEntry[] {
    const own = [...this.#drafts.values()];
    const known = new Set(own.map(({ serverId }) => serverId));
    const others = (this.#model?.drafts.newestFirst ?? []).filter(({ id }) => !known.has(id));
    return [
      ...own.filter(({ isDeleted, isHeld }) => !isDeleted && !isHeld).map(entryOf),
      ...others.map(entryOfServer),
    ].sort((a, b) => b.editedAt - a.editedAt);
  }

  get(localId: string): DraftEntry | undefined {
    const draft = this.#drafts.get(localId);
    return draft === undefined || draft.isDeleted ? undefined : entryOf(draft);
  }

  /** The newest draft for which `matches` is true. It then has a local id, so that it can be continued. */
  find(matches: (entry: DraftEntry) => boolean): DraftEntry | undefined {
    const found = this.list().find(matches);
    return found === undefined ? undefined : this.#adopted(found);
  }

  /**
   * Stores a text. An empty one deletes the draft.
   * @param localId undefined for a new draft
   * @returns the id to save later edits with. Undefined if the text is empty
   */
  save(localId: string | undefined, target: DraftTarget, content: string): string | undefined {
    const known = localId === undefined ? undefined : this.#drafts.get(localId);
    if (content.trim() === '') {
      if (known !== undefined) this.discard(known.localId);
      return undefined;
    }
    const isKnown = known !== undefined && !known.isDeleted;
    if (isKnown && known.content === content && isSameTarget(known.target, target)) return known.localId;
    const { pageId } = this.#storage;
    // Two edits in one millisecond are two edits.
    const editedAt = Math.max(this.#now(), (known?.editedAt ?? 0) + 1);
    const base = isKnown ? known : { localId: crypto.randomUUID(), syncedAt: 0 };
    this.#put({ ...base, target, content, editedAt, pageId });
    this.#schedule();
    return base.localId;
  }

  /**
   * Replaces a part, such as a placeholder, in the draft of this page that has it. A draft that an earlier page left can have
   * an equal one, so the last edited draft counts. Returns whether there is one.
   */
  replaceIn(part: string, text: string): boolean {
    const [found] = [...this.#drafts.values()]
      .filter(({ isDeleted, pageId, content }) => {
        return !isDeleted && pageId === this.#storage.pageId && content.includes(part);
      })
      .sort((a, b) => b.editedAt - a.editedAt);
    if (found === undefined) return false;
    const content = found.content.replace(part, () => text);
    this.save(found.localId, found.target, content);
    return true;
  }

  /** The message waits for its files. Until it is sent or released, the draft is in no list and in no box. */
  hold(localId: string): void {
    const draft = this.#drafts.get(localId);
    if (draft !== undefined) this.#put({ ...draft, isHeld: true, pageId: this.#storage.pageId });
  }

  /** The held draft is an ordinary one again. */
  release(localId: string): void {
    const draft = this.#drafts.get(localId);
    if (draft === undefined) return;
    this.#put(withoutHold(draft));
    this.#schedule();
  }

  get hasLeft(): boolean {
    return this.#left.length > 0;
  }

  /** The drafts of messages that were not sent because their page ended, each once. */
  takeLeft(): readonly DraftEntry[] {
    const left = this.#left;
    this.#left = [];
    return left;
  }

  /** Deletes a draft, for example because it was sent. */
  discard(localId: string): void {
    const draft = this.#drafts.get(localId);
    if (draft === undefined || draft.isDeleted) return;
    if (draft.serverId === undefined && !draft.isCreating) this.#remove(localId);
    else this.#put({ ...draft, isDeleted: true, pageId: this.#storage.pageId });
    this.#schedule(0);
  }

  /** Deletes a draft of `list`. Returns a function that restores it. */
  discardEntry(entry: DraftEntry): () => void {
    const { localId } = this.#adopted(entry);
    if (localId !== undefined) this.discard(localId);
    return () => void this.save(undefined, entry.target, entry.content);
  }

  /** Sends everything now. Resolves when the server has it, or refused it. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#run();
    await this.#running;
  }

  /** Sends everything now. Resolves with whether the server has all drafts, at most after this time. */
  async saved(withinMs: number): Promise<boolean> {
    await Promise.race([this.flush(), delay(withinMs)]);
    return this.#drafts
      .values()
      .filter(({ isDeleted }) => !isDeleted)
      .every(
        ({ serverId, editedAt, syncedAt, refusedAt }) =>
          serverId !== undefined && syncedAt >= editedAt && refusedAt !== editedAt,
      );
  }

  #adopted(entry: DraftEntry): DraftEntry {
    if (entry.localId !== undefined || entry.serverId === undefined) return entry;
    const { serverId, target, content, editedAt } = entry;
    const localId = crypto.randomUUID();
    const { pageId } = this.#storage;
    this.#put({ localId, serverId, target, content, editedAt, syncedAt: editedAt, isSeen: true, pageId });
    return { ...entry, localId };
  }

  #put(draft: LocalDraft): void {
    this.#drafts.set(draft.localId, draft);
    this.#storage.put(draft);
    this.changes.changed();
  }

  #remove(localId: string): void {
    this.#drafts.delete(localId);
    this.#storage.remove(localId);
    this.changes.changed();
  }

  /** Continues with the drafts of pages that have ended. */
  #adoptLeft(): void {
    const { pageId } = this.#storage;
    const others = new Set([...this.#drafts.values()].map((draft) => draft.pageId).filter((id) => id !== pageId));
    this.#storage.forEndedPages([...others], (ended) => {
      for (const draft of this.#drafts.values()) {
        if (draft.pageId !== ended) continue;
        if (draft.isHeld && !draft.isDeleted) this.#left.push(entryOf(draft));
        this.#put({ ...withoutHold(draft), pageId });
      }
      this.#schedule(0);
    });
  }

  get #isSynchronizing(): boolean {
    return this.#model?.account.settings.enable_drafts_synchronization ?? false;
  }

  /** The server's drafts changed. Visits the drafts of this browser, of which there are few. */
  #serverChanged(): void {
    const model = this.#model;
    if (model === undefined) return;
    for (const draft of this.#drafts.values()) {
      if (draft.serverId === undefined || draft.isDeleted) continue;
      const remote = model.drafts.get(draft.serverId);
      if (remote !== undefined) this.#merge(draft, remote);
      // Without synchronization, the server has deleted its drafts, and clients keep their copies.
      else if (draft.isSeen && this.#isSynchronizing) this.#remotelyDeleted(draft);
    }
    this.changes.changed();
  }

  #merge(draft: LocalDraft, remote: DraftRecord): void {
    const { target, content } = remote;
    const editedAt = remote.editedAt * 1000;
    const isSame = content === draft.content && isSameTarget(target, draft.target);
    // Drafts on the wire have whole seconds. A later second is an edit by another device. An earlier one can be the echo of
    // an own edit, which arrives after the response to the next one.
    const isNewer = remote.editedAt > Math.floor(draft.editedAt / 1000);
    if (!isSame && isNewer) this.#put({ ...draft, target, content, editedAt, syncedAt: editedAt, isSeen: true });
    else if (!draft.isSeen) this.#put({ ...draft, isSeen: true });
  }

  #remotelyDeleted(draft: LocalDraft): void {
    if (draft.syncedAt >= draft.editedAt) this.#remove(draft.localId);
    // The user has edited it since. The edit is newer than the deletion.
    else this.#put(withoutServer(draft));
  }

  #schedule(pauseMs = this.#pauseMs): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(), pauseMs);
  }

  #run(): void {
    this.#running ??= this.#synchronize().finally(() => {
      this.#running = undefined;
    });
  }

  async #synchronize(): Promise<void> {
    for (let attempt = 0; ; ) {
      const next = this.#next();
      if (next === undefined) return;
      try {
        await this.#send(next);
        attempt = 0;
      } catch (error) {
        if (!isTemporary(error)) this.#refused(next);
        else await this.#untilRetry(attempt++);
      }
    }
  }

  /** A draft that differs from the server's. */
  #next(): LocalDraft | undefined {
    if (!this.#isSynchronizing) return undefined;
    for (const draft of this.#drafts.values()) {
      if (draft.pageId !== this.#storage.pageId) continue;
      if (draft.isDeleted || (draft.editedAt > draft.syncedAt && !draft.isHeld)) return draft;
    }
    return undefined;
  }

  async #send(draft: LocalDraft): Promise<void> {
    const { localId, serverId } = draft;
    if (serverId === undefined) return this.#create(draft);
    try {
      if (draft.isDeleted) {
        await deleteDraft(this.#connection, { draft_id: serverId });
        this.#remove(localId);
        return;
      }
      await editDraft(this.#connection, { draft_id: serverId, draft: wireDraft(draft) });
      this.#synced(draft, serverId);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      // Another device deleted it.
      const now = this.#drafts.get(localId);
      if (now === undefined || now.isDeleted) this.#remove(localId);
      else this.#put(withoutServer(now));
    }
  }

  async #create(draft: LocalDraft): Promise<void> {
    if (draft.isCreating) {
      const twin = this.#model?.drafts.newestFirst.find(
        (one) => one.content === draft.content && isSameTarget(one.target, draft.target) && !this.#isLinked(one.id),
      );
      if (twin !== undefined) {
        this.#synced(draft, twin.id);
        return;
      }
    }
    if (draft.isDeleted) {
      this.#remove(draft.localId);
      return;
    }
    this.#put({ ...draft, isCreating: true });
    const { ids } = await createDrafts(this.#connection, { drafts: [wireDraft(draft)] });
    if (ids[0] !== undefined) this.#synced(draft, ids[0]);
  }

  #isLinked(serverId: number): boolean {
    return [...this.#drafts.values()].some((draft) => draft.serverId === serverId);
  }

  /** The server has this version. The user may have edited or deleted the draft meanwhile. */
  #synced(sent: LocalDraft, serverId: number): void {
    const now = this.#drafts.get(sent.localId);
    if (now === undefined) return;
    const { isCreating: _, ...rest } = now;
    const isSeen = this.#model?.drafts.get(serverId) !== undefined;
    this.#put({ ...rest, serverId, syncedAt: sent.editedAt, ...(isSeen && { isSeen }) });
  }

  /** The server refuses this version for good, for example because there are too many drafts. It stays in this browser. */
  #refused(draft: LocalDraft): void {
    if (draft.isDeleted) {
      this.#remove(draft.localId);
      return;
    }
    const now = this.#drafts.get(draft.localId);
    if (now === undefined) return;
    const { isCreating: _, ...rest } = now;
    this.#put({ ...rest, syncedAt: draft.editedAt, refusedAt: draft.editedAt });
  }
}

function entryOf({ localId, serverId, target, content, editedAt }: LocalDraft): DraftEntry {
  return { localId, serverId, target, content, editedAt };
}

function entryOfServer({ id, target, content, editedAt }: DraftRecord): DraftEntry {
  return { localId: undefined, serverId: id, target, content, editedAt: editedAt * 1000 };
}

function withoutHold({ isHeld: _, ...draft }: LocalDraft): LocalDraft {
  return draft;
}

function withoutServer(draft: LocalDraft): LocalDraft {
  const { serverId: _, isSeen: __, ...rest } = draft;
  return { ...rest, syncedAt: 0 };
}

function isSameTarget(one: DraftTarget, other: DraftTarget): boolean {
  if (one.kind === 'direct' && other.kind === 'direct') return `${one.userIds}` === `${other.userIds}`;
  if (one.kind !== 'channel' || other.kind !== 'channel') return one.kind === other.kind;
  return one.channelId === other.channelId && one.topic === other.topic;
}

function pause(attempt: number): Promise<void> {
  return delay(Math.min(1_000 * 2 ** attempt, MAX_RETRY_PAUSE_MS));
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
