/**
 * All errors that the API can return. The body of an error is `{result: 'error', msg, code}` and the extra fields of its definition (interface document, "Errors").
 */
import Type, { type TProperties } from 'typebox';

export interface ErrorDefinition {
  /** The HTTP status, which clients expect with this code. */
  readonly status: number;
  /** The code in the body, if it differs from the name of the definition. */
  readonly wireCode?: string;
  readonly description: string;
  /** Fields of the body besides `result`, `msg` and `code`. */
  readonly extra: TProperties;
}

export const errorDefinitions = {
  BAD_REQUEST: {
    status: 400,
    description:
      'The server cannot execute the request, or a parameter has an invalid type or value. `msg` contains the reason.',
    extra: {},
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    wireCode: 'BAD_REQUEST',
    description: 'The caller has no object with the ID in the path. `msg` contains the kind of object.',
    extra: {},
  },
  REQUEST_VARIABLE_MISSING: {
    status: 400,
    description: 'A required parameter is missing.',
    extra: { var_name: Type.String() },
  },
  REQUEST_VARIABLE_INVALID: {
    status: 400,
    description: 'A parameter has an invalid value.',
    extra: { var_name: Type.String(), bad_value: Type.Union([Type.String(), Type.Number()]) },
  },
  INVALID_FIELDS: {
    status: 400,
    wireCode: 'BAD_REQUEST',
    description: 'Fields have invalid values. `errors` lists the problems by field, and `msg` contains the first one.',
    extra: { errors: Type.Record(Type.String(), Type.Array(Type.String())) },
  },
  TOPIC_NOT_ALLOWED: {
    status: 400,
    wireCode: 'BAD_REQUEST',
    description:
      'The channel accepts only the empty topic or does not accept it. Or other topics prevent a policy that accepts only the empty topic.',
    extra: { empty_topic_display_name: Type.String({ description: 'The display name of the empty topic' }) },
  },
  UNSUPPORTED_COMBINATION: {
    status: 400,
    wireCode: 'BAD_REQUEST',
    description: 'A request cannot contain these parameters together.',
    extra: { parameters: Type.String({ description: 'Their names, separated by commas' }) },
  },
  REQUEST_CONFUSING_VAR: {
    status: 400,
    description: 'The request contains a parameter under two names.',
    extra: { var_name1: Type.String(), var_name2: Type.String() },
  },
  BAD_IMAGE: {
    status: 400,
    description: 'The file is not an image, or its dimensions are too large. `msg` contains the reason.',
    extra: {},
  },
  REACTION_ALREADY_EXISTS: {
    status: 400,
    description: 'The caller already reacted to the message with this emoji.',
    extra: {},
  },
  REACTION_DOES_NOT_EXIST: {
    status: 400,
    description: 'The message has no reaction of the caller with this emoji.',
    extra: {},
  },
  EXPECTATION_MISMATCH: {
    status: 400,
    description: 'The current value is not the value that the client expects. The server changed nothing.',
    extra: { field_name: Type.String({ description: 'The parameter with the expected value' }) },
  },
  SYSTEM_GROUP_REQUIRED: {
    status: 400,
    description: 'The permission accepts only certain system groups.',
    extra: { setting_name: Type.String() },
  },
  CANNOT_DEACTIVATE_LAST_USER: {
    status: 400,
    description: 'The user is the last user or the last owner of the organization. `entity` says which.',
    extra: { is_last_owner: Type.Boolean(), entity: Type.String() },
  },
  CANNOT_DEACTIVATE_GROUP_IN_USE: {
    status: 400,
    description:
      'The user group is a subgroup or has permissions. `objections` lists where. Each has a `type`: `subgroup` with `supergroup_ids`; `channel` with `channel_id` and the names in `settings`; `user_group` with `group_id` and `settings`; `realm` with `settings`.',
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
      'The server did not invite some or all addresses. `errors` lists each of them with the reason and whether it belongs to a deactivated account.',
    extra: {
      errors: Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Boolean()])),
      sent_invitations: Type.Boolean({ description: 'Whether the server invited the other addresses' }),
      license_limit_reached: Type.Boolean({ description: 'Always false: Heddle has no licenses' }),
      daily_limit_reached: Type.Boolean(),
    },
  },
  BAD_NARROW: {
    status: 400,
    description: 'A narrow has an unknown operator or an invalid operand. `desc` contains the details.',
    extra: { desc: Type.String() },
  },
  BAD_EVENT_QUEUE_ID: {
    status: 400,
    description: 'The event queue does not exist or has expired. The client must register again.',
    extra: { queue_id: Type.String() },
  },
  STREAM_DOES_NOT_EXIST: {
    status: 400,
    description:
      'The channel does not exist or is not accessible. The error contains the name or the ID from the request.',
    extra: { stream: Type.Optional(Type.String()), stream_id: Type.Optional(Type.Integer()) },
  },
  CHANNEL_ALREADY_EXISTS: {
    status: 409,
    description: 'A channel with that name exists. The caller possibly has no access to it.',
    extra: { channel_name: Type.String() },
  },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    description: 'The caller cannot use wildcard mentions in such a large channel.',
    extra: {},
  },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    description: 'The caller cannot use wildcard mentions in a topic with so many participants.',
    extra: {},
  },
  CANNOT_ADMINISTER_CHANNEL: {
    status: 400,
    description: 'The caller cannot change the settings of the channel.',
    extra: {},
  },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    status: 400,
    description:
      'The message, or other messages of the request, are too old for the caller to move. The caller can move the messages from `first_message_id_allowed_to_move` on with `change_later`. Null means none.',
    extra: {
      first_message_id_allowed_to_move: Type.Union([Type.Integer(), Type.Null()]),
      total_messages_allowed_to_move: Type.Integer(),
      total_messages_in_topic: Type.Integer(),
    },
  },
  REALM_UPLOAD_QUOTA: {
    status: 400,
    description: 'The file exceeds the storage limit of the organization.',
    extra: {},
  },
  UNAUTHORIZED_PRINCIPAL: {
    status: 400,
    description: 'The caller lacks the required role or permission.',
    extra: {},
  },
  GIF_SERVICE_FAILED: {
    status: 400,
    description:
      "The organization's service of GIFs does not respond (`unreachable`), refuses the key (`refused`), or allows no more requests now (`limited`).",
    extra: {
      reason: Type.Union([Type.Literal('unreachable'), Type.Literal('refused'), Type.Literal('limited')]),
    },
  },
  NO_ACTIVE_PUSH_DEVICE: {
    status: 400,
    description: 'The caller has no registered device, or not the requested one.',
    extra: {},
  },
  INVALID_PUSH_DEVICE_TOKEN: { status: 400, description: 'The caller did not add this token.', extra: {} },
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
      'A request with a browser session, or the form of a page, has no valid CSRF token. `reason` contains the details.',
    extra: { reason: Type.String() },
  },
  ADMIN_ACTION_REQUIRED: {
    status: 403,
    description:
      'The push service refuses this server or organization because of its credentials, plan or registration.',
    extra: {},
  },
  NOT_FOUND: { status: 404, description: 'The path, or the object in the path, does not exist.', extra: {} },
  NONEXISTENT_SUBDOMAIN: { status: 404, description: 'No organization has this host name.', extra: {} },
  METHOD_NOT_ALLOWED: {
    status: 405,
    description: 'The path does not support the method.',
    extra: { allowed_methods: Type.Array(Type.String()) },
  },
  REQUEST_TIMEOUT: { status: 408, description: 'The server did not receive the whole request in time.', extra: {} },
  PAYLOAD_TOO_LARGE: { status: 413, description: 'The body is too large.', extra: {} },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    description: 'The body is compressed or encoded. The client must send it without encoding.',
    extra: {},
  },
  RANGE_NOT_SATISFIABLE: { status: 416, description: 'The file does not contain the requested range.', extra: {} },
  RATE_LIMIT_HIT: {
    status: 429,
    description: 'Too many requests. The client must wait `retry-after` seconds.',
    extra: { 'retry-after': Type.Number() },
  },
  HEADERS_TOO_LARGE: { status: 431, description: 'The header is too large.', extra: {} },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    description: 'The server failed. The request is not the cause.',
    extra: {},
  },
  FAILED_TO_CONNECT_BOUNCER: { status: 502, description: 'The server cannot connect to the push service.', extra: {} },
  INTERNAL_SERVER_ERROR_ON_BOUNCER: { status: 502, description: 'The push service failed.', extra: {} },
  SERVICE_UNAVAILABLE: {
    status: 503,
    description:
      'The database is down, or the server is stopping or has too much to do. The server did not do what was asked. A retry can succeed, after `retry-after` seconds if the response names them.',
    extra: { 'retry-after': Type.Optional(Type.Number()) },
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    description:
      'The server lost the database while it stored a change. The change may be stored or not. Look before you send the request again: find a message by its `local_id` in the events, or read what the request would have changed.',
    extra: {},
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorDefinitions;

/** The code in the body of an error. */
export function wireCodeOf(code: ErrorCode): string {
  const definition: ErrorDefinition = errorDefinitions[code];
  return definition.wireCode ?? code;
}

/** The error codes of every endpoint. `authenticated` applies to endpoints with authentication. */
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
    'OUTCOME_UNKNOWN',
  ],
  authenticated: ['UNAUTHORIZED', 'USER_DEACTIVATED'],
} as const satisfies Record<string, readonly ErrorCode[]>;
