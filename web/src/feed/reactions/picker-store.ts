import { Subject } from '@heddle/client/model/changes.ts';

interface Opened {
  readonly messageId: number;
  /** What the picker opens beside. */
  readonly anchor: Element;
}

/** The picker of reactions of this page. There is one for all messages, because a row can leave the list while it is open. */
class PickerStore {
  readonly changes = new Subject();
  opened: Opened | undefined;

  set(opened: Opened | undefined): void {
    this.opened = opened;
    this.changes.changed();
  }
}

export const pickerStore = new PickerStore();

/** Lets the user choose a reaction. Without an anchor, the picker opens beside the message. */
export function openReactionPicker(messageId: number, anchor?: Element | null): void {
  const beside = anchor ?? document.querySelector(`[data-message-id="${messageId}"]`);
  if (beside !== null) pickerStore.set({ messageId, anchor: beside });
}
