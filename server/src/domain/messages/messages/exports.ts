/** The tables of this folder in a data export. */
import { ofMessages, type TableExport } from '../../../extension/exports.ts';

export const messagesExports: readonly TableExport[] = [
  {
    table: 'messages',
    fields: [
      'id',
      'sender_id',
      'channel_id',
      'conversation_id',
      'topic',
      'content',
      'rendered_content',
      'mentions_channel',
      'is_me_message',
      'client',
      'sent_at',
      'home_channel_id',
      'stay_channels',
      'stay_since',
      'edit_count',
      'edited_at',
      'moved_at',
      'has_reactions',
      'has_submessages',
    ],
    rows: ({ hasMessage }) => hasMessage('id'),
  },
  {
    table: 'mass_mentions',
    fields: ['message_id', 'first_user_id', 'user_bits'],
    rows: ofMessages,
  },
];
