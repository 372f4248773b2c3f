import Type from 'typebox';
import { list, MAX_NARROW_TERMS, text } from '../bounds.ts';
import { defaulted, defineEndpoint, optional, required } from '../contract.ts';
import { initialState } from '../state/index.ts';

const eventTypes = list(text(), 200);
const capability = Type.Optional(Type.Boolean());

/** The capabilities of a client. The server ignores unknown names, which belong to newer servers. */
export const clientCapabilities = Type.Object({
  notification_settings_null: capability,
  bulk_message_deletion: capability,
  user_avatar_url_field_optional: capability,
  stream_typing_notifications: capability,
  user_settings_object: capability,
  linkifier_url_template: capability,
  user_list_incomplete: capability,
  include_deactivated_groups: capability,
  archived_channels: capability,
  empty_topic_name: capability,
  simplified_presence_events: capability,
  pinned_messages: Type.Optional(
    Type.Boolean({ description: 'Of Heddle alone: the fields and events about pinned messages' }),
  ),
  gif_picker: Type.Optional(
    Type.Boolean({ description: 'Of Heddle alone: `realm_gif_picker`, and the events about it' }),
  ),
  web_push: Type.Optional(
    Type.Boolean({
      description:
        'Of Heddle alone: `web_push_public_key`, `realm_message_content_allowed_in_web_push`, and the events about it',
    }),
  ),
  brief_users: Type.Optional(
    Type.Boolean({
      description: 'Of Heddle alone: users in the initial state without fields that have the usual value',
    }),
  ),
  quiet_hours: Type.Optional(Type.Boolean({ description: 'Of Heddle alone: `quiet_hours`, and the events about it' })),
});

export const registerQueue = defineEndpoint({
  operationId: 'register-queue',
  method: 'POST',
  path: '/register',
  area: 'Real-time events',
  summary: 'Register an event queue and fetch the initial state',
  description:
    'Without credentials, in organizations with spectators, the response has the initial state for spectators and no queue.',
  authentication: 'optional',
  parameters: {
    apply_markdown: defaulted(Type.Boolean(), false),
    client_gravatar: optional(Type.Boolean(), {
      description: 'The default is true with credentials and false without',
    }),
    include_subscribers: defaulted(Type.Union([Type.Boolean(), Type.Literal('partial')]), false),
    slim_presence: defaulted(Type.Boolean(), false),
    presence_history_limit_days: optional(
      Type.Integer({ minimum: 0, description: 'The maximum age of presence data in days. The default is 14' }),
    ),
    event_types: optional(eventTypes, { description: 'The server ignores unknown types' }),
    fetch_event_types: optional(eventTypes),
    all_public_streams: defaulted(Type.Boolean(), false),
    client_capabilities: defaulted(clientCapabilities, {}),
    narrow: defaulted(list(list(text({ maxLength: 500 }), 2, { minItems: 2 }), MAX_NARROW_TERMS), []),
  },
  secrets: 'sometimes',
  response: Type.Object({
    queue_id: Type.Union([Type.String(), Type.Null()], { description: 'Null for spectators, who receive no events' }),
    last_event_id: Type.Optional(Type.Integer({ description: 'The client polls for the events after this one' })),
    ...initialState,
  }),
  errors: [],
});

export const getEvents = defineEndpoint({
  operationId: 'get-events',
  method: 'GET',
  path: '/events',
  area: 'Real-time events',
  summary: 'Wait for the events after a known event',
  authentication: 'required',
  parameters: {
    queue_id: required(text()),
    /** A negative number, which new clients send, means all events that the client did not acknowledge. */
    last_event_id: required(Type.Integer()),
    dont_block: defaulted(Type.Boolean(), false),
  },
  secrets: 'sometimes',
  response: Type.Object({
    events: Type.Array(Type.Object({ id: Type.Integer(), type: Type.String() }, { additionalProperties: true })),
    queue_id: Type.String(),
  }),
  errors: ['BAD_EVENT_QUEUE_ID'],
});

export const deleteQueue = defineEndpoint({
  operationId: 'delete-queue',
  method: 'DELETE',
  path: '/events',
  area: 'Real-time events',
  summary: 'Delete an event queue',
  authentication: 'required',
  parameters: { queue_id: required(text()) },
  response: Type.Object({}),
  errors: ['BAD_EVENT_QUEUE_ID'],
});
