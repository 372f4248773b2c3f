import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, required } from '../contract.ts';
import { anchor, narrow } from '../objects/narrow.ts';

const AREA = 'Messages';

export const updateMessageFlagsForNarrow = defineEndpoint({
  operationId: 'update-message-flags-for-narrow',
  method: 'POST',
  path: '/messages/flags/narrow',
  area: AREA,
  summary: 'Add or remove a flag of the caller on messages of a narrow around an anchor',
  authentication: 'required',
  parameters: {
    anchor: required(anchor),
    include_anchor: defaulted(Type.Boolean(), true),
    num_before: required(Type.Integer({ minimum: 0 }), { description: 'The server reduces both together to 5,000' }),
    num_after: required(Type.Integer({ minimum: 0 })),
    narrow: required(narrow),
    op: required(Type.Union([Type.Literal('add'), Type.Literal('remove')])),
    flag: required(text()),
    include_updated_ids: defaulted(Type.Boolean(), false, {
      description: 'Extension of the interface: whether the response names the changed messages',
    }),
  },
  response: Type.Object({
    processed_count: Type.Integer(),
    updated_count: Type.Integer(),
    first_processed_id: Type.Union([Type.Integer(), Type.Null()]),
    last_processed_id: Type.Union([Type.Integer(), Type.Null()]),
    found_oldest: Type.Boolean(),
    found_newest: Type.Boolean(),
    ignored_because_not_subscribed_channels: Type.Array(Type.Integer()),
    updated_ids: Type.Optional(
      Type.Array(Type.Integer(), {
        description:
          'Extension of the interface: the changed messages, with `include_updated_ids`. So clients can undo the change',
      }),
    ),
  }),
  errors: ['BAD_NARROW'],
});

export const getReadReceipts = defineEndpoint({
  operationId: 'get-read-receipts',
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  area: AREA,
  summary: 'List who read a message',
  authentication: 'required',
  parameters: { message_id: inPath(Type.Integer()) },
  response: Type.Object({
    user_ids: Type.Array(Type.Integer(), {
      description:
        'Excludes the sender, users who hide read receipts, deactivated users, and users whom the caller muted or who muted the caller',
    }),
  }),
  errors: [],
});

export const markAllAsRead = defineEndpoint({
  operationId: 'mark-all-as-read',
  method: 'POST',
  path: '/mark_all_as_read',
  area: AREA,
  summary: 'Mark all messages of the caller as read',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ complete: Type.Boolean({ description: 'If false, the client must repeat the request' }) }),
  errors: [],
  deprecated: true,
});

export const markChannelAsRead = defineEndpoint({
  operationId: 'mark-stream-as-read',
  method: 'POST',
  path: '/mark_stream_as_read',
  area: AREA,
  summary: 'Mark all messages of a channel as read',
  authentication: 'required',
  parameters: { stream_id: required(Type.Integer()) },
  response: Type.Object({}),
  errors: [],
  deprecated: true,
});

export const markTopicAsRead = defineEndpoint({
  operationId: 'mark-topic-as-read',
  method: 'POST',
  path: '/mark_topic_as_read',
  area: AREA,
  summary: 'Mark all messages of a topic as read',
  authentication: 'required',
  parameters: { stream_id: required(Type.Integer()), topic_name: required(text()) },
  response: Type.Object({}),
  errors: [],
  deprecated: true,
});
