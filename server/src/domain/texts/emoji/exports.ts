/** The tables of this folder in a data export. */
import type { TableExport } from '../../../extension/exports.ts';

export const emojiExports: readonly TableExport[] = [
  {
    table: 'custom_emoji',
    fields: ['id', 'name', 'author_id', 'file', 'extension', 'is_animated', 'is_deactivated', 'created_at'],
  },
  {
    table: 'custom_emoji_pictures',
    fields: ['emoji_id', 'picture', 'still'],
  },
];
