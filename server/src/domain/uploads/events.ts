import type { Presenter } from '../../directory/presenters.ts';
import type { NewEvent } from '../../log/event.ts';
import { type Attachment, presentAttachment } from './present.ts';

/** A message of the same change that was sent before the event's own: the distance between their ids. */
export interface EarlierLink {
  readonly before: number;
  /** Milliseconds since the epoch. */
  readonly dateSent: number;
}

/** The body of an `attachment` event. `space`: bytes of all files of the organization. */
export type AttachmentBody =
  | {
      readonly op: 'add' | 'update';
      /** With the messages that link to it, except the event's own and those of the same change. */
      readonly attachment: Attachment;
      readonly space: number;
      /** When the event's own message was sent, if it links to the file. Milliseconds since the epoch. */
      readonly dateSent?: number;
      readonly earlier?: readonly EarlierLink[];
    }
  | { readonly op: 'remove'; readonly attachmentId: number; readonly space: number };

/** Only the owner of a file gets its events. */
export function attachmentEvent(ownerId: number, body: AttachmentBody): NewEvent {
  return { type: 'attachment', audience: { to: 'users', users: [ownerId] }, body };
}

export const attachmentPresenter: Presenter = {
  present({ body: stored, messageId }) {
    const body = stored as AttachmentBody;
    const common = { type: 'attachment', op: body.op, upload_space_used: body.space };
    if (body.op === 'remove') return { ...common, attachment: { id: body.attachmentId } };
    const { attachment, dateSent, earlier = [] } = body;
    if (messageId === undefined || dateSent === undefined) {
      return { ...common, attachment: presentAttachment(attachment) };
    }
    const own = { id: messageId, date_sent: dateSent };
    const others = earlier.map(({ before, dateSent: at }) => ({ id: messageId - before, date_sent: at }));
    const messages = [own, ...others, ...attachment.messages];
    return { ...common, attachment: presentAttachment({ ...attachment, messages }) };
  },
};
