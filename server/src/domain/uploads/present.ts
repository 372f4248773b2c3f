import type { attachment } from '@heddle/api/objects/attachment.ts';
import type { Static } from 'typebox';

/** A file in the form of queries and of the log. */
export type Attachment = Omit<Static<typeof attachment>, 'message_ids'>;

/** A file in the form of the API. */
export function presentAttachment(file: Attachment): Static<typeof attachment> {
  return { ...file, message_ids: file.messages.map(({ id }) => id) };
}

/** The path of a file, relative to the organization's address. */
export function fileUrl(pathId: string): string {
  return `/user_uploads/${pathId}`;
}
