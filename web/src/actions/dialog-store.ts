import { Subject } from '@heddle/client/model/changes.ts';
import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { Narrow } from '@heddle/client/model/messages/narrow.ts';
import type { Place, TopicPlace } from '@heddle/client/model/messages/places.ts';

export type MessageDialogKind = 'delete' | 'source' | 'history' | 'receipts' | 'remind' | 'report';

/** A dialog about a message, a topic or a channel. */
export type ActionDialog =
  /** A message that no view has loaded comes with its `record`. A note is what the field of a reminder contains at first. */
  | {
      readonly kind: MessageDialogKind;
      readonly messageId: number;
      readonly record?: MessageRecord;
      readonly note?: string;
    }
  /** Moves messages of a topic. With a message, it is the first or only one. */
  | { readonly kind: 'move'; readonly place: TopicPlace; readonly messageId?: number }
  | { readonly kind: 'delete-topic'; readonly place: TopicPlace }
  | { readonly kind: 'print'; readonly place: Place }
  /** Goes to a date in a list of messages. */
  | { readonly kind: 'date'; readonly narrow: Narrow }
  | { readonly kind: 'colour' | 'unsubscribe'; readonly channelId: number };

class DialogStore {
  readonly changes = new Subject();
  opened: ActionDialog | undefined;

  set(opened: ActionDialog | undefined): void {
    this.opened = opened;
    this.changes.changed();
  }
}

/** The dialog that is open in this page. `ActionDialogs` shows it. */
export const dialogStore = new DialogStore();

export function openDialog(dialog: ActionDialog): void {
  dialogStore.set(dialog);
}
