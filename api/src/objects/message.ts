import Type from 'typebox';
import { topicLink } from './linkifier.ts';
import { editHistoryEntry } from './message-edit.ts';
import { reaction } from './reaction.ts';
import { submessage } from './submessage.ts';

/** The flags that a message can have for a user. */
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

/** A participant of a direct message. */
const recipientRecord = Type.Object({
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

/** A message in an event. The event contains the personal fields separately. */
export const announcedMessage = Type.Object(messageFields);

/** A message in a response (interface document, "Message"). */
export const message = Type.Object({
  ...messageFields,
  flags: Type.Array(messageFlag),
  last_edit_timestamp: Type.Optional(Type.Integer({ description: 'The time of the last edit of the content' })),
  last_moved_timestamp: Type.Optional(Type.Integer({ description: 'Resolving the topic does not count as a move' })),
  edit_history: Type.Optional(
    Type.Array(editHistoryEntry, {
      description: 'Newest first. Contains only the newest entries if there are very many or very long ones',
    }),
  ),
  match_content: Type.Optional(
    Type.String({ description: 'Only for a search: the content as HTML with highlighted matches' }),
  ),
  match_subject: Type.Optional(Type.String({ description: 'The same for the topic' })),
});
