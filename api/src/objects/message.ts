import Type from 'typebox';
import { topicLink } from './linkifier.ts';
import { editHistoryEntry } from './message-edit.ts';
import { reaction } from './reaction.ts';
import { submessage } from './submessage.ts';

/** The flags that a user's copy of a message can carry. */
export const messageFlag = Type.Union([
  Type.Literal('read'),
  Type.Literal('starred'),
  Type.Literal('collapsed'),
  Type.Literal('mentioned'),
  Type.Literal('stream_wildcard_mentioned'),
  Type.Literal('topic_wildcard_mentioned'),
  Type.Literal('wildcard_mentioned'),
  Type.Literal('has_alert_word'),
  Type.Literal('historical'),
]);

/** Who takes part in a direct conversation. */
export const recipientRecord = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  full_name: Type.String(),
  is_mirror_dummy: Type.Boolean(),
});

const messageFields = {
  id: Type.Integer(),
  type: Type.Union([Type.Literal('stream'), Type.Literal('private')]),
  stream_id: Type.Optional(Type.Integer()),
  subject: Type.String(),
  content: Type.String(),
  content_type: Type.Union([Type.Literal('text/html'), Type.Literal('text/x-markdown')]),
  timestamp: Type.Integer(),
  sender_id: Type.Integer(),
  sender_email: Type.String(),
  sender_full_name: Type.String(),
  sender_realm_str: Type.String(),
  avatar_url: Type.Union([Type.String(), Type.Null()]),
  client: Type.String(),
  display_recipient: Type.Union([Type.String(), Type.Array(recipientRecord)]),
  recipient_id: Type.Integer(),
  is_me_message: Type.Boolean(),
  reactions: Type.Array(reaction),
  submessages: Type.Array(submessage),
  topic_links: Type.Array(topicLink),
};

/** A message as an event announces it: what is personal stands beside it. */
export const announcedMessage = Type.Object(messageFields);

/** A message as a user fetches it (interface document, "Message"). */
export const message = Type.Object({
  ...messageFields,
  flags: Type.Array(messageFlag),
  last_edit_timestamp: Type.Optional(Type.Integer({ description: 'When its text was last edited' })),
  last_moved_timestamp: Type.Optional(Type.Integer({ description: 'Resolving its topic is no move' })),
  edit_history: Type.Optional(
    Type.Array(editHistoryEntry, { description: 'Newest first; of very many or very long ones the newest' }),
  ),
  match_content: Type.Optional(
    Type.String({ description: 'Where a search found it: as HTML, with what was found marked' }),
  ),
  match_subject: Type.Optional(Type.String({ description: 'Its topic, likewise' })),
});
