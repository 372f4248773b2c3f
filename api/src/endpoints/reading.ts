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
  summary: "Add or remove one of the caller's flags on messages around an anchor that match a narrow",
  authentication: 'required',
  parameters: {
    anchor: required(anchor),
    include_anchor: defaulted(Type.Boolean(), true),
    num_before: required(Type.Integer({ minimum: 0 }), { description: 'Both together are lowered to 5,000' }),
    num_after: required(Type.Integer({ minimum: 0 })),
    narrow: required(narrow),
    op: required(Type.Union([Type.Literal('add'), Type.Literal('remove')])),
    flag: required(text()),
  },
  response: Type.Object({
    processed_count: Type.Integer(),
    updated_count: Type.Integer(),
    first_processed_id: Type.Union([Type.Integer(), Type.Null()]),
    last_processed_id: Type.Union([Type.Integer(), Type.Null()]),
    found_oldest: Type.Boolean(),
    found_newest: Type.Boolean(),
    ignored_because_not_subscribed_channels: Type.Array(Type.Integer()),
  }),
  errors: ['BAD_NARROW'],
});

export const getReadReceipts = defineEndpoint({
  operationId: 'get-read-receipts',
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  area: AREA,
  summary: 'Who has read a message',
  authentication: 'required',
  parameters: { message_id: inPath(Type.Integer()) },
  response: Type.Object({
    user_ids: Type.Array(Type.Integer(), {
      description:
        'Without the sender, those who keep it to themselves, deactivated accounts, and whoever the caller has muted or is muted by',
    }),
  }),
  errors: [],
});

export const markAllAsRead = defineEndpoint({
  operationId: 'mark-all-as-read',
  method: 'POST',
  path: '/mark_all_as_read',
  area: AREA,
  summary: "Mark all of the caller's messages as read",
  authentication: 'required',
  parameters: {},
  response: Type.Object({ complete: Type.Boolean({ description: 'When false, the client asks again' }) }),
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
