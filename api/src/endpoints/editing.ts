import Type from 'typebox';
import { MAX_CONTENT_LENGTH, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional } from '../contract.ts';
import { attachment } from '../objects/attachment.ts';
import { messageSnapshot } from '../objects/message-edit.ts';

export const updateMessage = defineEndpoint({
  operationId: 'update-message',
  method: 'PATCH',
  path: '/messages/{message_id}',
  area: 'Messages',
  summary: 'Edit a message, or move messages',
  description:
    'Edits the content of a message, or moves messages to another topic or channel. `propagate_mode` selects the messages of the topic. The prefix `✔ ` in the name of a topic means that it is resolved.',
  authentication: 'required',
  parameters: {
    message_id: inPath(Type.Integer()),
    topic: optional(text(), { aliases: ['subject'] }),
    propagate_mode: defaulted(
      Type.Union([Type.Literal('change_one'), Type.Literal('change_later'), Type.Literal('change_all')]),
      'change_one',
    ),
    send_notification_to_old_thread: defaulted(Type.Boolean(), false),
    send_notification_to_new_thread: defaulted(Type.Boolean(), true),
    content: optional(text({ maxLength: MAX_CONTENT_LENGTH, description: 'Blank content becomes `(deleted)`' })),
    prev_content_sha256: optional(text(), {
      description: 'The SHA-256 hash of the content that the client expects, in hexadecimal',
    }),
    stream_id: optional(Type.Integer({ minimum: 0 })),
  },
  response: Type.Object({
    detached_uploads: Type.Array(attachment, { description: 'Files of the caller without a link in any message' }),
  }),
  errors: [
    'EXPECTATION_MISMATCH',
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
});

export const getMessageHistory = defineEndpoint({
  operationId: 'get-message-history',
  method: 'GET',
  path: '/messages/{message_id}/history',
  area: 'Messages',
  summary: 'Get the edit history of a message',
  authentication: 'required',
  parameters: {
    message_id: inPath(Type.Integer()),
    allow_empty_topic_name: defaulted(Type.Boolean(), false),
  },
  response: Type.Object({
    message_history: Type.Array(messageSnapshot, {
      description: 'Oldest first. Contains only the newest entries if there are very many or very long ones',
    }),
  }),
  errors: [],
});
