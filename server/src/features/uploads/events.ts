import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';
import type { Attachment } from './present.ts';

/** A message by how much before the event's own it was sent, in the same change. */
export interface EarlierLink {
  readonly before: number;
  /** Milliseconds since the epoch. */
  readonly dateSent: number;
}

/** What `attachment` events carry in the log. `space`: bytes of all files of the organization. */
export type AttachmentBody =
  | {
      readonly op: 'add' | 'update';
      /** With the messages that link to it; but not yet the event's own and those that were sent with it. */
      readonly attachment: Attachment;
      readonly space: number;
      /** Where the event's own message links to it: when that was sent, in milliseconds since the epoch. */
      readonly dateSent?: number;
      readonly earlier?: readonly EarlierLink[];
    }
  | { readonly op: 'remove'; readonly attachmentId: number; readonly space: number };

/** Only its owner ever hears of a file. */
export function attachmentEvent(ownerId: number, body: AttachmentBody): NewEvent {
  return { type: 'attachment', audience: { to: 'users', users: [ownerId] }, body };
}

export const attachmentPresenter: Presenter = {
  present({ body: stored, messageId }) {
    const body = stored as AttachmentBody;
    const common = { type: 'attachment', op: body.op, upload_space_used: body.space };
    if (body.op === 'remove') return { ...common, attachment: { id: body.attachmentId } };
    const { attachment, dateSent, earlier = [] } = body;
    if (messageId === undefined || dateSent === undefined) return { ...common, attachment };
    const own = { id: messageId, date_sent: dateSent };
    const others = earlier.map(({ before, dateSent: at }) => ({ id: messageId - before, date_sent: at }));
    return { ...common, attachment: { ...attachment, messages: [own, ...others, ...attachment.messages] } };
  },
};
