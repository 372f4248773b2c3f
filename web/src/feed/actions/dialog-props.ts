import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';

/** The properties of a dialog about a message. */
export interface MessageDialogProps {
  readonly record: MessageRecord;
  readonly onClose: () => void;
}
