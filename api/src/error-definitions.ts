/**
 * The one list of errors that the interface can answer. An error's body is `{result: 'error', msg, code}` and the extra
 * fields that its code names here (interface document, "Errors").
 */
import Type, { type TProperties } from 'typebox';

export interface ErrorDefinition {
  /** The HTTP status that clients expect with this code. */
  readonly status: number;
  /** The code in the body, where it is not this definition's name. */
  readonly wireCode?: string;
  readonly description: string;
  /** Fields of the body besides `result`, `msg` and `code`. */
  readonly extra: TProperties;
}

export const errorDefinitions = {
  BAD_REQUEST: {
    status: 400,
    description:
      'The request cannot be carried out as it stands, or a parameter has the wrong type or an impossible value; `msg` says why.',
    extra: {},
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    wireCode: 'BAD_REQUEST',
    description: 'There is no such thing of the caller’s as the path names; `msg` says of what kind.',
    extra: {},
  },
  REQUEST_VARIABLE_MISSING: {
    status: 400,
    description: 'A required parameter was not sent.',
    extra: { var_name: Type.String() },
  },
  REQUEST_VARIABLE_INVALID: {
    status: 400,
    description: 'A parameter has a value that it does not take.',
    extra: { var_name: Type.String(), bad_value: Type.Union([Type.String(), Type.Number()]) },
  },
  INVALID_FIELDS: {
    status: 400,
    wireCode: 'BAD_REQUEST',
    description: 'What was given cannot be kept; `errors` says what is wrong, by the field, and `msg` the first of it.',
    extra: { errors: Type.Record(Type.String(), Type.Array(Type.String())) },
  },
  TOPIC_NOT_ALLOWED: {
    status: 400,
    wireCode: 'BAD_REQUEST',
    description:
      'The channel takes only the empty topic, or does not take it; or has others that keep it from taking that alone.',
    extra: { empty_topic_display_name: Type.String({ description: 'What the empty topic is called' }) },
  },
  UNSUPPORTED_COMBINATION: {
    status: 400,
    wireCode: 'BAD_REQUEST',
    description: 'These parameters cannot be sent together.',
    extra: { parameters: Type.String({ description: 'Their names, separated by commas' }) },
  },
  REQUEST_CONFUSING_VAR: {
    status: 400,
    description: 'A parameter was sent under two of its names at once.',
    extra: { var_name1: Type.String(), var_name2: Type.String() },
  },
  BAD_IMAGE: {
    status: 400,
    description: 'The file is no picture, or one that is too large to be drawn; `msg` says which.',
    extra: {},
  },
  REACTION_ALREADY_EXISTS: {
    status: 400,
    description: 'The caller has reacted to the message with this emoji already.',
    extra: {},
  },
  REACTION_DOES_NOT_EXIST: {
    status: 400,
    description: 'The caller has not reacted to the message with this emoji.',
    extra: {},
  },
  EXPECTATION_MISMATCH: {
    status: 400,
    description: 'What is to be changed is no longer what the client takes it for; nothing was changed.',
    extra: { field_name: Type.String({ description: 'The parameter that says so' }) },
  },
  SYSTEM_GROUP_REQUIRED: {
    status: 400,
    description: 'The permission takes only certain groups that every organization has.',
    extra: { setting_name: Type.String() },
  },
  CANNOT_DEACTIVATE_LAST_USER: {
    status: 400,
    description: 'The account is the last one of the organization, or the last owner’s; `entity` says which.',
    extra: { is_last_owner: Type.Boolean(), entity: Type.String() },
  },
  CANNOT_DEACTIVATE_GROUP_IN_USE: {
    status: 400,
    description:
      'The user group is part of another, or permissions are given to it; `objections` says where. Each has a `type`: `subgroup` with `supergroup_ids`; `channel` with `channel_id` and the names in `settings`; `user_group` with `group_id` and `settings`; `realm` with `settings`.',
    extra: {
      objections: Type.Array(
        Type.Union([
          Type.Object({ type: Type.Literal('subgroup'), supergroup_ids: Type.Array(Type.Integer()) }),
          Type.Object({
            type: Type.Literal('channel'),
            channel_id: Type.Integer(),
            settings: Type.Array(Type.String()),
          }),
          Type.Object({
            type: Type.Literal('user_group'),
            group_id: Type.Integer(),
            settings: Type.Array(Type.String()),
          }),
          Type.Object({ type: Type.Literal('realm'), settings: Type.Array(Type.String()) }),
        ]),
      ),
    },
  },
  INVITATION_FAILED: {
    status: 400,
    description:
      'Not all were invited, or nobody; `errors` has for each address that was left out why, and whether it is that of a deactivated account.',
    extra: {
      errors: Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Boolean()])),
      sent_invitations: Type.Boolean({ description: 'Whether all others were invited' }),
      license_limit_reached: Type.Boolean({ description: 'Always false: this server counts no licenses' }),
      daily_limit_reached: Type.Boolean(),
    },
  },
  BAD_NARROW: {
    status: 400,
    description: 'A narrow has a term that does not exist or a bad operand; `desc` says which.',
    extra: { desc: Type.String() },
  },
  BAD_EVENT_QUEUE_ID: {
    status: 400,
    description: 'The event queue does not exist or was collected; register again.',
    extra: { queue_id: Type.String() },
  },
  STREAM_DOES_NOT_EXIST: {
    status: 400,
    description: 'No such channel, or not one that the caller may see; named as it was asked for, by name or by id.',
    extra: { stream: Type.Optional(Type.String()), stream_id: Type.Optional(Type.Integer()) },
  },
  CHANNEL_ALREADY_EXISTS: {
    status: 409,
    description: 'A channel of that name exists, perhaps one that the caller may not see.',
    extra: { channel_name: Type.String() },
  },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    description: 'The caller may not mention everyone in so large a channel.',
    extra: {},
  },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    description: 'The caller may not mention everyone in a topic with so many participants.',
    extra: {},
  },
  CANNOT_ADMINISTER_CHANNEL: {
    status: 400,
    description: 'The caller may not change the settings of the channel.',
    extra: {},
  },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    status: 400,
    description:
      'The message, or others of the topic that were to go with it, are too old for the caller to move. The newest, from `first_message_id_allowed_to_move` on, can be moved with `change_later`; with null there is none.',
    extra: {
      first_message_id_allowed_to_move: Type.Union([Type.Integer(), Type.Null()]),
      total_messages_allowed_to_move: Type.Integer(),
      total_messages_in_topic: Type.Integer(),
    },
  },
  REALM_UPLOAD_QUOTA: {
    status: 400,
    description: 'The file would take more room than the organization has.',
    extra: {},
  },
  UNAUTHORIZED_PRINCIPAL: {
    status: 400,
    description: 'The operation needs a role or a permission that the caller lacks.',
    extra: {},
  },
  NO_ACTIVE_PUSH_DEVICE: {
    status: 400,
    description: 'The caller has no registered device, or not the one that is named.',
    extra: {},
  },
  INVALID_PUSH_DEVICE_TOKEN: { status: 400, description: 'The caller has added no such token.', extra: {} },
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: {
    status: 400,
    description: 'The push service does not know the token.',
    extra: {},
  },
  UNAUTHORIZED: { status: 401, description: 'Credentials are missing, malformed or wrong.', extra: {} },
  AUTHENTICATION_FAILED: { status: 401, description: 'The user name or the password is wrong.', extra: {} },
  USER_DEACTIVATED: { status: 401, description: 'The account is deactivated.', extra: {} },
  REALM_DEACTIVATED: { status: 401, description: 'The organization is deactivated.', extra: {} },
  CSRF_FAILED: {
    status: 403,
    description:
      'A request with a browser’s session, or the form of a page, does not prove that it comes from a page of this server; `reason` says how.',
    extra: { reason: Type.String() },
  },
  ADMIN_ACTION_REQUIRED: {
    status: 403,
    description: 'The push service does not serve this server or organization: credentials, plan or registration.',
    extra: {},
  },
  NOT_FOUND: { status: 404, description: 'The path or the thing that it names does not exist.', extra: {} },
  NONEXISTENT_SUBDOMAIN: { status: 404, description: 'No organization lives at this host name.', extra: {} },
  METHOD_NOT_ALLOWED: {
    status: 405,
    description: 'The path exists and has no such method.',
    extra: { allowed_methods: Type.Array(Type.String()) },
  },
  REQUEST_TIMEOUT: { status: 408, description: 'The request took too long to arrive.', extra: {} },
  PAYLOAD_TOO_LARGE: { status: 413, description: 'The body is larger than the server accepts.', extra: {} },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    description: 'The body is compressed or encoded otherwise; it must be sent as it is.',
    extra: {},
  },
  RANGE_NOT_SATISFIABLE: { status: 416, description: 'The file has no such part.', extra: {} },
  RATE_LIMIT_HIT: {
    status: 429,
    description: 'Too many requests; wait `retry-after` seconds.',
    extra: { 'retry-after': Type.Number() },
  },
  HEADERS_TOO_LARGE: { status: 431, description: 'The header is larger than the server accepts.', extra: {} },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    description: 'The server failed; nothing that the client sent is at fault.',
    extra: {},
  },
  FAILED_TO_CONNECT_BOUNCER: { status: 502, description: 'The push service cannot be reached.', extra: {} },
  INTERNAL_SERVER_ERROR_ON_BOUNCER: { status: 502, description: 'The push service failed.', extra: {} },
  SERVICE_UNAVAILABLE: {
    status: 503,
    description:
      'The server cannot serve now (its database is down, or it is stopping); the same request may succeed later.',
    extra: {},
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorDefinitions;

/** The code that the body of such an error says. */
export function wireCodeOf(code: ErrorCode): string {
  const definition: ErrorDefinition = errorDefinitions[code];
  return definition.wireCode ?? code;
}

/** The codes that any endpoint can answer, beside those that it names; the authentication ones only where it authenticates. */
export const commonErrors = {
  always: [
    'BAD_REQUEST',
    'NONEXISTENT_SUBDOMAIN',
    'REALM_DEACTIVATED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'RATE_LIMIT_HIT',
    'INTERNAL_SERVER_ERROR',
    'SERVICE_UNAVAILABLE',
  ],
  authenticated: ['UNAUTHORIZED', 'USER_DEACTIVATED'],
} as const satisfies Record<string, readonly ErrorCode[]>;
