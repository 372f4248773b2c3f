import type { attachment } from '@heddle/api/objects/attachment.ts';
import type { Static } from 'typebox';

/** A file as clients get it. */
export type Attachment = Static<typeof attachment>;

/** Where a file is opened, on the organization's address. */
export function fileUrl(pathId: string): string {
  return `/user_uploads/${pathId}`;
}
