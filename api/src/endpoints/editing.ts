import Type from 'typebox';
import { LONGEST_CONTENT, text } from '../bounds.ts';
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
    'Gives a message another text, or moves it, and with it those of its topic that `propagate_mode` names, to another topic or channel. A topic is resolved, or unresolved, by a name with or without `✔ ` before it.',
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
    content: optional(text({ maxLength: LONGEST_CONTENT, description: 'A blank text becomes `(deleted)`' })),
    prev_content_sha256: optional(text(), {
      description: 'Of the text that the client takes for the present one, in hexadecimal',
    }),
    stream_id: optional(Type.Integer({ minimum: 0 })),
  },
  response: Type.Object({
    detached_uploads: Type.Array(attachment, { description: 'The caller’s files that no message links to any more' }),
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
  summary: "Get a message's edit history",
  authentication: 'required',
  parameters: {
    message_id: inPath(Type.Integer()),
    allow_empty_topic_name: defaulted(Type.Boolean(), false),
  },
  response: Type.Object({
    message_history: Type.Array(messageSnapshot, {
      description: 'Oldest first; of very many or very long ones the newest',
    }),
  }),
  errors: [],
});
