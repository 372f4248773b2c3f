import { Subject } from '@heddle/client/model/changes.ts';

/** A card beside what the user pressed. */
export interface OpenCard {
  readonly kind: 'user' | 'group';
  readonly id: number;
  readonly anchor: HTMLElement;
}

/** A dialog about people. */
export type PeopleDialog =
  | { readonly kind: 'status' | 'quiet' }
  | { readonly kind: 'add-to-channel'; readonly userId: number };

/** What `People` shows above the app: one card and one dialog at most. */
class PeopleStore {
  readonly changes = new Subject();
  card: OpenCard | undefined;
  dialog: PeopleDialog | undefined;

  openCard(card: OpenCard): void {
    this.card = card;
    this.changes.changed();
  }

  closeCard(): void {
    this.card = undefined;
    this.changes.changed();
  }

  /** Opens a dialog in place of the card. */
  openDialog(dialog: PeopleDialog): void {
    this.card = undefined;
    this.dialog = dialog;
    this.changes.changed();
  }

  closeDialog(): void {
    this.dialog = undefined;
    this.changes.changed();
  }
}

/** The one of this page. */
export const peopleStore = new PeopleStore();

/** Shows the card of a user beside an element, which then gets the focus back. */
export function openUserCard(userId: number, anchor: HTMLElement): void {
  peopleStore.openCard({ kind: 'user', id: userId, anchor });
}

export function openGroupCard(groupId: number, anchor: HTMLElement): void {
  peopleStore.openCard({ kind: 'group', id: groupId, anchor });
}

/** Opens the dialog in which the user sets their status. */
export function openStatusDialog(): void {
  peopleStore.openDialog({ kind: 'status' });
}

/** Opens the dialog in which the user pauses their notifications. */
export function openQuietDialog(): void {
  peopleStore.openDialog({ kind: 'quiet' });
}
