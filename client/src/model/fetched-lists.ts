import type { EventOfType } from '../calls/types.ts';
import { Subject } from './changes.ts';

/**
 * Lists that are in no initial state. A view that shows one subscribes, and fetches the list again when it is notified:
 * - `attachments`: `GET /attachments`;
 * - `invitations`: `GET /invites`;
 * - `exports`: `GET /export/realm` and `GET /export/realm/consents`.
 */
export class FetchedLists {
  readonly attachments = new Subject();
  readonly invitations = new Subject();
  readonly exports = new Subject();
  /** The size of the organization's files in bytes. Undefined until the first event. */
  uploadSpaceUsed: number | undefined;

  applyAttachment({ upload_space_used }: EventOfType<'attachment'>): void {
    this.uploadSpaceUsed = upload_space_used;
    this.attachments.changed();
  }

  applyInvitations(_: EventOfType<'invites_changed'>): void {
    this.invitations.changed();
  }

  applyExports(_: EventOfType<'realm_export'> | EventOfType<'realm_export_consent'>): void {
    this.exports.changed();
  }
}
