import Type from 'typebox';
import { LONGEST_CONTENT, list, MOST_RECIPIENTS, MOST_TERMS, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { message } from '../objects/message.ts';
import { anchor, narrow, narrowTerm } from '../objects/narrow.ts';

/** `channel` and `stream`, `direct` and `private` mean the same; the second of each is the older word. */
export const messageType = Type.Union([
  Type.Literal('direct'),
  Type.Literal('channel'),
  Type.Literal('stream'),
  Type.Literal('private'),
]);

export const sendMessage = defineEndpoint({
  operationId: 'send-message',
  method: 'POST',
  path: '/messages',
  area: 'Messages',
  summary: 'Send a channel message or a direct message',
  authentication: 'required',
  forIncomingWebhooks: true,
  parameters: {
    type: required(messageType),
    to: required(
      Type.Union(
        [
          Type.Integer(),
          text({ maxLength: 50_000 }),
          list(Type.Integer(), MOST_RECIPIENTS),
          list(text(), MOST_RECIPIENTS),
        ],
        {
          description: "A channel's name or id; or the ids or API addresses of users",
        },
      ),
    ),
    content: required(text({ maxLength: LONGEST_CONTENT })),
    topic: optional(text(), { aliases: ['subject'], description: 'Required for channel messages' }),
    queue_id: optional(text(), { description: 'The queue to which `local_id` is echoed' }),
    local_id: optional(text({ maxLength: 1000 })),
    read_by_sender: optional(Type.Boolean(), { description: 'Left out, the client program decides' }),
    widget_content: optional(text({ maxLength: 10_000, description: 'A form with choices, as JSON' })),
  },
  response: Type.Object({
    id: Type.Integer(),
    automatic_new_visibility_policy: Type.Optional(
      Type.Integer({ description: '2 or 3: by sending, the topic is now unmuted or followed' }),
    ),
  }),
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
});

export const renderMessage = defineEndpoint({
  operationId: 'render-message',
  method: 'POST',
  path: '/messages/render',
  area: 'Messages',
  summary: 'What a text would look like as a message of the caller',
  authentication: 'required',
  parameters: { content: required(text({ maxLength: LONGEST_CONTENT })) },
  response: Type.Object({ rendered: Type.String({ description: 'HTML' }) }),
  errors: [],
});

export const getMessage = defineEndpoint({
  operationId: 'get-message',
  method: 'GET',
  path: '/messages/{message_id}',
  area: 'Messages',
  summary: 'Fetch one message',
  description: 'Without credentials: one of a web-public channel, where the organization has spectators.',
  authentication: 'optional',
  parameters: {
    message_id: inPath(Type.Integer()),
    apply_markdown: defaulted(Type.Boolean(), true),
    allow_empty_topic_name: defaulted(Type.Boolean(), false),
  },
  response: Type.Object({
    message,
    raw_content: Type.String({ description: 'Deprecated: ask with `apply_markdown` false instead' }),
  }),
  errors: [],
});

export const getMessages = defineEndpoint({
  operationId: 'get-messages',
  method: 'GET',
  path: '/messages',
  area: 'Messages',
  summary: 'Fetch messages around an anchor that match a narrow',
  description:
    'Without credentials, where the organization has spectators: with a narrow that says `channels:web-public`, at most 1,000 messages.',
  authentication: 'optional',
  parameters: {
    anchor: optional(anchor),
    use_first_unread_anchor: defaulted(Type.Boolean(), false, { deprecated: true }),
    include_anchor: defaulted(Type.Boolean(), true),
    num_before: defaulted(Type.Integer({ minimum: 0 }), 0),
    num_after: defaulted(Type.Integer({ minimum: 0 }), 0),
    narrow: defaulted(narrow, []),
    message_ids: optional(list(Type.Integer(), 5000)),
    client_gravatar: defaulted(Type.Boolean(), true),
    apply_markdown: defaulted(Type.Boolean(), true),
    allow_empty_topic_name: defaulted(Type.Boolean(), false),
  },
  response: Type.Object({
    anchor: Type.Optional(Type.Integer()),
    found_newest: Type.Optional(Type.Boolean()),
    found_oldest: Type.Optional(Type.Boolean()),
    found_anchor: Type.Optional(Type.Boolean()),
    history_limited: Type.Optional(Type.Boolean()),
    messages: Type.Array(message),
  }),
  errors: ['BAD_NARROW', 'UNSUPPORTED_COMBINATION'],
});

export const updateMessageFlags = defineEndpoint({
  operationId: 'update-message-flags',
  method: 'POST',
  path: '/messages/flags',
  area: 'Messages',
  summary: "Add or remove one of the caller's flags on messages",
  authentication: 'required',
  parameters: {
    messages: required(list(Type.Integer(), 50_000), { description: 'As many as a client is told to be unread' }),
    op: required(Type.Union([Type.Literal('add'), Type.Literal('remove')])),
    flag: required(text()),
  },
  response: Type.Object({
    messages: Type.Array(Type.Integer()),
    ignored_because_not_subscribed_channels: Type.Array(Type.Integer()),
  }),
  errors: [],
});

export const checkMatchesNarrow = defineEndpoint({
  operationId: 'check-messages-match-narrow',
  method: 'GET',
  path: '/messages/matches_narrow',
  area: 'Messages',
  summary: 'Which of some messages are in a narrow',
  authentication: 'required',
  parameters: {
    msg_ids: required(list(Type.Integer(), 1000)),
    narrow: required(list(narrowTerm, MOST_TERMS)),
  },
  response: Type.Object({
    messages: Type.Record(
      Type.String(),
      Type.Object({ match_content: Type.String(), match_subject: Type.String({ description: 'The topic, as HTML' }) }),
      { description: 'By message id' },
    ),
  }),
  errors: ['BAD_NARROW'],
});
