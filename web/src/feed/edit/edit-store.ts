import { KeyedSubject } from '@heddle/client/model/changes.ts';
import { copy, sourceOf } from '../../actions/copying.ts';
import { accountKey, EDIT_ENTRY, onLogOut, writeLocal } from '../../base/account-storage.ts';
import type { App } from '../../base/app.tsx';
import { holdKeysDuring } from '../../base/held-keys.ts';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { composeStore } from '../../compose/compose-store.ts';
import { withoutStalePlaceholders } from '../../compose/uploads/uploads.ts';
import { uploadsOf } from '../../compose/uploads/use-uploads.ts';
import { problemText } from '../../shown/problem-text.ts';
import { EditSession } from './edit-session.ts';

/** An edit that is not saved yet. */
export interface Edit {
  /** The source that the edit began with. */
  readonly original: string;
  readonly text: string;
}

/**
 * The messages that the user edits in this browser. What they typed survives a reload. It stays until they save or
 * cancel it.
 */
class EditStore {
  readonly changesOf = new KeyedSubject<number>();
  #userId: number | undefined;
  #edits = new Map<number, Edit>();
  readonly #opening = new Set<number>();
  readonly #sessions = new Map<number, EditSession>();
  #focusId: number | undefined;
  /** The message whose edit was opened from the compose box, to which the focus returns. */
  #fromBox: number | undefined;

  get(userId: number, messageId: number): Edit | undefined {
    this.#restore(userId);
    return this.#edits.get(messageId);
  }

  /** Whether an edit would be lost with this browser's copy. */
  get hasChanges(): boolean {
    for (const session of this.#sessions.values()) session.save();
    return this.#edits.values().some(({ text, original }) => text !== original);
  }

  /** Fetches the source of the message and opens the editor. */
  async open(app: App, messageId: number): Promise<void> {
    if (this.get(app.model.ownId, messageId) !== undefined) {
      this.#focusId = messageId;
      this.changesOf.changed(messageId);
      return;
    }
    if (this.#opening.has(messageId)) return;
    this.#opening.add(messageId);
    try {
      const original = await holdKeysDuring(window, () => sourceOf(app, messageId));
      this.resume(app, messageId, { original, text: original });
    } catch (error) {
      const text = t('The message cannot be edited now. {problem}', { problem: problemText(error) });
      toasts.show({ text, kind: 'error', key: 'edit' });
    } finally {
      this.#opening.delete(messageId);
    }
  }

  /** The same from the empty compose box. */
  async openFromBox(app: App, messageId: number): Promise<void> {
    this.#fromBox = messageId;
    // Otherwise what is typed until the editor is there would go into the box.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    await this.open(app, messageId);
    if (this.get(app.model.ownId, messageId) !== undefined) return;
    this.#fromBox = undefined;
    composeStore.focus();
  }

  /** The text that the user edits now. It stays the same while its row leaves the list and comes back. */
  sessionOf(app: App, messageId: number): EditSession {
    const known = this.#sessions.get(messageId);
    if (known !== undefined) return known;
    const { ownId } = app.model;
    const text = withoutStalePlaceholders(this.get(ownId, messageId)?.text ?? '', uploadsOf(app));
    const session = new EditSession(text, {
      place: () => app.model.cache.messages.get(messageId)?.place,
      keep: (current) => this.#keep(ownId, messageId, current),
    });
    this.#sessions.set(messageId, session);
    return session;
  }

  /** Whether the user still edits this text. They can have cancelled the edit, and begun another one. */
  isOpen(messageId: number, session: EditSession): boolean {
    return this.#sessions.get(messageId) === session;
  }

  /** Opens the editor with this text. */
  resume(app: App, messageId: number, edit: Edit): void {
    this.#focusId = messageId;
    this.#watch(app, messageId);
    this.set(app.model.ownId, messageId, edit);
  }

  set(userId: number, messageId: number, edit: Edit): void {
    this.#restore(userId);
    this.#edits.set(messageId, edit);
    this.#store(userId, messageId, edit);
    this.changesOf.changed(messageId);
  }

  /** Keeps what the user typed. The editor has it already. */
  #keep(userId: number, messageId: number, text: string): void {
    const edit = this.#edits.get(messageId);
    if (edit === undefined || edit.text === text) return;
    const changed = { ...edit, text };
    this.#edits.set(messageId, changed);
    this.#store(userId, messageId, changed);
  }

  /** The edit was saved or cancelled. Returns whether the focus belongs into the compose box now. */
  close(userId: number, messageId: number): boolean {
    const isFromBox = this.#fromBox === messageId;
    if (isFromBox) this.#fromBox = undefined;
    this.#edits.delete(messageId);
    this.#sessions.delete(messageId);
    this.#store(userId, messageId, undefined);
    this.changesOf.changed(messageId);
    return isFromBox;
  }

  /** Whether the editor was opened now and should get the focus. True once. */
  takeFocus(messageId: number): boolean {
    const isWanted = this.#focusId === messageId;
    if (isWanted) this.#focusId = undefined;
    return isWanted;
  }

  /** If the message is deleted, the editor disappears with it. The user can still take what they typed. */
  #watch({ model }: App, messageId: number): void {
    const { messages } = model.cache;
    const end = messages.changesOf.of(messageId).subscribe(() => {
      this.#sessions.get(messageId)?.save();
      const edit = this.#edits.get(messageId);
      if (edit !== undefined && messages.get(messageId) !== undefined) return;
      end();
      if (edit === undefined) return;
      this.close(model.ownId, messageId);
      toasts.show({
        text: t('The message that you were editing was deleted.'),
        kind: 'error',
        action: { label: t('Copy your text'), run: () => void copy(edit.text, t('Text copied')) },
      });
    });
  }

  #store(userId: number, messageId: number, edit: Edit | undefined): void {
    const isEmpty = edit === undefined || edit.text === edit.original;
    writeLocal(accountKey(userId, `${EDIT_ENTRY}${messageId}`), isEmpty ? undefined : JSON.stringify(edit));
  }

  /** Reads what an earlier page has left. */
  #restore(userId: number): void {
    if (this.#userId === userId) return;
    this.#userId = userId;
    this.#edits = new Map();
    try {
      const prefix = accountKey(userId, EDIT_ENTRY);
      for (const key of Object.keys(localStorage)) {
        const messageId = key.startsWith(prefix) ? Number(key.slice(prefix.length)) : Number.NaN;
        const edit = editOf(localStorage.getItem(key));
        if (Number.isSafeInteger(messageId) && edit !== undefined) this.#edits.set(messageId, edit);
      }
    } catch {
      // Without storage there is nothing to restore.
    }
  }
}

function editOf(stored: string | null): Edit | undefined {
  try {
    const { original, text } = JSON.parse(stored ?? '') as Partial<Record<keyof Edit, unknown>>;
    return typeof original === 'string' && typeof text === 'string' ? { original, text } : undefined;
  } catch {
    return undefined;
  }
}

export const editStore = new EditStore();
onLogOut({ send: async () => !editStore.hasChanges });
