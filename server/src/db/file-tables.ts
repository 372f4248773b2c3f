/** The tables of uploaded files: a part of `schema.ts`. */
import type { Generated } from 'kysely';

export interface AttachmentsTable {
  organization_id: number;
  id: Generated<number>;
  owner_id: number;
  /** The address below `/user_uploads/`. It contains a random part. */
  path_id: string;
  /** The key of the content in the storage. */
  storage_key: string;
  name: string;
  content_type: string;
  size: number;
  /** `StoredPicture` (`domain/uploads/picture.ts`); null if clients cannot show the file as a picture. */
  picture: unknown;
  created_at: Generated<Date>;
  /** Null while a message or a scheduled message links to the file. */
  unlinked_since: Generated<Date | null>;
}

export interface AttachmentScheduledMessagesTable {
  organization_id: number;
  attachment_id: number;
  user_id: number;
  scheduled_message_id: number;
}

export interface ResumableUploadsTable {
  organization_id: number;
  user_id: number;
  /** The key in the storage, and the address of the upload. */
  key: string;
  /** The bytes that the complete upload has. */
  size: number;
  /** What the client said about the upload, by the names of the protocol. */
  metadata: unknown;
  created_at: Generated<Date>;
  /** The request that works on the upload until `held_until`. */
  holder: string | null;
  held_until: Date | null;
  /** Whether another request waits for the upload. */
  is_awaited: Generated<boolean>;
}
