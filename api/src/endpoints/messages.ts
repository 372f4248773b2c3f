import Type from 'typebox';
import { list, MAX_CONTENT_LENGTH, MAX_NARROW_TERMS, MAX_RECIPIENTS, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { message } from '../objects/message.ts';
import { anchorOrDate, narrow, narrowTerm } from '../objects/narrow.ts';

/** `stream` is the older name of `channel`, and `private` the older name of `direct`. */
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
          list(Type.Integer(), MAX_RECIPIENTS),
          list(text(), MAX_RECIPIENTS),
        ],
        {
          description: 'The name or ID of a channel, or the IDs or API addresses of users',
        },
      ),
    ),
    content: required(text({ maxLength: MAX_CONTENT_LENGTH })),
    topic: optional(text(), { aliases: ['subject'], description: 'Required for channel messages' }),
    queue_id: optional(text(), { description: 'The queue whose event contains `local_id`' }),
    local_id: optional(text({ maxLength: 1000 })),
    read_by_sender: optional(Type.Boolean(), { description: 'The default depends on the client program' }),
    widget_content: optional(text({ maxLength: 10_000, description: 'JSON of a widget: a form with choices' })),
  },
  response: Type.Object({
    id: Type.Integer(),
    automatic_new_visibility_policy: Type.Optional(
      Type.Integer({ description: '2 or 3 if sending changed the topic to unmuted or followed' }),
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
  summary: 'Render a text as a message of the caller',
  authentication: 'required',
  parameters: { content: required(text({ maxLength: MAX_CONTENT_LENGTH })) },
  response: Type.Object({ rendered: Type.String({ description: 'HTML' }) }),
  errors: [],
});

export const getMessage = defineEndpoint({
  operationId: 'get-message',
  method: 'GET',
  path: '/messages/{message_id}',
  area: 'Messages',
  summary: 'Fetch one message',
  description: 'Without credentials, a message of a web-public channel, in organizations with spectators.',
  authentication: 'optional',
  parameters: {
    message_id: inPath(Type.Integer()),
    apply_markdown: defaulted(Type.Boolean(), true),
    allow_empty_topic_name: defaulted(Type.Boolean(), false),
  },
  response: Type.Object({
    message,
    raw_content: Type.String({ description: 'Deprecated: use `apply_markdown=false` instead' }),
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
    'Without credentials, in organizations with spectators, the narrow must contain `channels:web-public`. The response then has at most 1,000 messages.',
  authentication: 'optional',
  parameters: {
    anchor: optional(anchorOrDate, {
      description:
        'A message ID, `newest`, `oldest`, `first_unread` or `date`. `date` means the first message on or after `anchor_date`, or else the newest',
    }),
    anchor_date: optional(text({ maxLength: 100 }), {
      description:
        'For `anchor=date`: an ISO 8601 date with an optional time, such as `2026-02-03` or `2026-02-03T04:05:06Z`. The default time is midnight, the default time zone UTC.',
    }),
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

/** Hits that are counted. Of more, a client says "1,000 or more". */
export const MAX_COUNTED_HITS = 1000;
const MAX_RANKED_HITS = 200;

export const getSearchHits = defineEndpoint({
  operationId: 'get-search-hits',
  method: 'GET',
  path: '/messages/hits',
  area: 'Messages',
  summary: 'Count the messages of a narrow, and order the newest of them by relevance',
  description:
    `Extension of Heddle. The server looks at the newest ${MAX_COUNTED_HITS} messages of the narrow. A client fetches those ` +
    'of `message_ids` with `GET /messages`. Without credentials, the narrow must contain `channels:web-public`.',
  authentication: 'optional',
  parameters: {
    narrow: defaulted(narrow, []),
    num_relevant: defaulted(Type.Integer({ minimum: 0, maximum: MAX_RANKED_HITS }), 0, {
      description: 'The maximum number of IDs in `message_ids`',
    }),
  },
  response: Type.Object({
    count: Type.Integer({ description: `At most ${MAX_COUNTED_HITS}` }),
    is_complete: Type.Boolean({ description: 'Whether there are no other messages' }),
    message_ids: Type.Array(Type.Integer(), {
      description:
        'The most relevant ones first, as PostgreSQL ranks the words of the searches. Words of the topic count more than those of the text. ' +
        'Equal ones are in the order of their dates, newest first',
    }),
  }),
  errors: ['BAD_NARROW'],
});

export const updateMessageFlags = defineEndpoint({
  operationId: 'update-message-flags',
  method: 'POST',
  path: '/messages/flags',
  area: 'Messages',
  summary: 'Add or remove a flag of the caller on messages',
  authentication: 'required',
  parameters: {
    messages: required(list(Type.Integer(), 50_000), {
      description: 'The maximum is the number of unread messages in the initial state',
    }),
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
  summary: 'Check which messages match a narrow',
  authentication: 'required',
  parameters: {
    msg_ids: required(list(Type.Integer(), 1000)),
    narrow: required(list(narrowTerm, MAX_NARROW_TERMS)),
  },
  response: Type.Object({
    messages: Type.Record(
      Type.String(),
      Type.Object({ match_content: Type.String(), match_subject: Type.String({ description: 'The topic as HTML' }) }),
      { description: 'Keys are message IDs' },
    ),
  }),
  errors: ['BAD_NARROW'],
});
