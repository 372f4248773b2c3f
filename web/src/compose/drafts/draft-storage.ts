import type { DraftTarget } from '@heddle/client/model/own/drafts.ts';
import { accountKey, DRAFT_ENTRY, writeLocal } from '../../base/account-storage.ts';

/** A draft as this browser stores it. */
export interface LocalDraft {
  readonly localId: string;
  readonly target: DraftTarget;
  /** Markdown. */
  readonly content: string;
  /** The last edit, in milliseconds since the epoch. */
  readonly editedAt: number;
  /** The last edit that the server has, or that it refused. 0: none. */
  readonly syncedAt: number;
  /** The last edit that the server refused. */
  readonly refusedAt?: number;
  /** The id of the server. */
  readonly serverId?: number;
  /** Whether the model had the server's draft. If it has not any more, somebody deleted it. */
  readonly isSeen?: boolean;
  /** Whether a request to create it has begun. After a crash, the server possibly has it. */
  readonly isCreating?: boolean;
  /** The user deleted or sent it. The record stays until the server has deleted its draft. */
  readonly isDeleted?: boolean;
  /** It is the text of a message that waits for its files. Only its page shows it, as that message. */
  readonly isHeld?: boolean;
  /** The page that synchronizes it. */
  readonly pageId: string;
}

/** Where drafts survive the page. */
export interface DraftStorage {
  load(): LocalDraft[];
  put(draft: LocalDraft): void;
  remove(localId: string): void;
  /** Calls `listener` for each change by another page. Undefined means that it was removed. */
  onForeignChange(listener: (localId: string, draft: LocalDraft | undefined) => void): () => void;
  /** Takes over the drafts of pages that have ended. Calls `adopt` with the id of each. */
  forEndedPages(pageIds: readonly string[], adopt: (pageId: string) => void): void;
  /** Identifies this page among those that use the storage. */
  readonly pageId: string;
}

/** Drafts in the local storage. Writing there is synchronous, so it survives a tab that is killed right after it. */
export class BrowserDraftStorage implements DraftStorage {
  readonly pageId: string = crypto.randomUUID();
  readonly #prefix: string;

  constructor(userId: number) {
    this.#prefix = accountKey(userId, DRAFT_ENTRY);
    // Held until the page ends, so that other pages know that it lives.
    void navigator.locks?.request(this.#lockOf(this.pageId), () => new Promise(() => undefined));
  }

  load(): LocalDraft[] {
    try {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(this.#prefix));
      return keys.flatMap((key) => parse(localStorage.getItem(key)) ?? []);
    } catch {
      return [];
    }
  }

  put(draft: LocalDraft): void {
    writeLocal(this.#prefix + draft.localId, JSON.stringify(draft));
  }

  remove(localId: string): void {
    writeLocal(this.#prefix + localId, undefined);
  }

  onForeignChange(listener: (localId: string, draft: LocalDraft | undefined) => void): () => void {
    const onStorage = ({ key, newValue }: StorageEvent): void => {
      if (key?.startsWith(this.#prefix)) listener(key.slice(this.#prefix.length), parse(newValue));
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }

  forEndedPages(pageIds: readonly string[], adopt: (pageId: string) => void): void {
    for (const pageId of pageIds) {
      if (navigator.locks === undefined) adopt(pageId);
      else {
        void navigator.locks.request(this.#lockOf(pageId), { ifAvailable: true }, (lock) => {
          if (lock !== null) adopt(pageId);
        });
      }
    }
  }

  #lockOf(pageId: string): string {
    return `${this.#prefix}page-${pageId}`;
  }
}

function parse(json: string | null): LocalDraft | undefined {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    const isDraft = typeof value === 'object' && value !== null && 'localId' in value && 'content' in value;
    return isDraft ? (value as LocalDraft) : undefined;
  } catch {
    return undefined;
  }
}
