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
    extra: {},
  },
  SYSTEM_GROUP_REQUIRED: {
    status: 400,
    description: 'The permission takes only certain groups that every organization has.',
    extra: { setting_name: Type.String() },
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
  UNAUTHORIZED: { status: 401, description: 'Credentials are missing, malformed or wrong.', extra: {} },
  AUTHENTICATION_FAILED: { status: 401, description: 'The user name or the password is wrong.', extra: {} },
  USER_DEACTIVATED: { status: 401, description: 'The account is deactivated.', extra: {} },
  REALM_DEACTIVATED: { status: 401, description: 'The organization is deactivated.', extra: {} },
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

export type ErrorExtra = { readonly [field: string]: unknown };

/** A failure that the client is told of: the server answers `status` with `code`, the message and `extra`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly extra: ErrorExtra;

  constructor(code: ErrorCode, message: string, extra: ErrorExtra = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = errorDefinitions[code].status;
    this.extra = extra;
  }
}

/** The generic refusal; `message` is shown to people. */
export function badRequest(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message);
}

export function missingParameter(name: string): ApiError {
  return new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name });
}

/** @param field `__all__` for what several of them are about together */
export function invalidField(field: string, problem: string): ApiError {
  return new ApiError('INVALID_FIELDS', problem, { errors: { [field]: [problem] } });
}

/** `problem` continues the name: `invalidParameter('num_before', 'is not an integer')`. */
export function invalidParameter(name: string, problem: string): ApiError {
  return new ApiError('BAD_REQUEST', `${name} ${problem}`);
}

/** A value outside the few that the parameter takes: `Invalid type`. */
export function invalidChoice(name: string): ApiError {
  return new ApiError('BAD_REQUEST', `Invalid ${name}`);
}

/** A limit or a number of days that cannot be: `Bad value for 'message_retention_days': 0`. */
export function badValue(name: string, value: string | number): ApiError {
  return new ApiError('REQUEST_VARIABLE_INVALID', `Bad value for '${name}': ${value}`, {
    var_name: name,
    bad_value: value,
  });
}

export function confusingParameters(name: string, other: string): ApiError {
  return new ApiError('REQUEST_CONFUSING_VAR', `Can't decide between '${name}' and '${other}' arguments`, {
    var_name1: name,
    var_name2: other,
  });
}

export function badNarrow(problem: string): ApiError {
  return new ApiError('BAD_NARROW', `Invalid narrow operator: ${problem}`, { desc: problem });
}

export function badImage(message: string): ApiError {
  return new ApiError('BAD_IMAGE', message);
}

export function reactionAlreadyExists(): ApiError {
  return new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.');
}

export function reactionDoesNotExist(): ApiError {
  return new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.");
}

export function expectationMismatch(message: string): ApiError {
  return new ApiError('EXPECTATION_MISMATCH', message);
}

/** @param name of the permission, as the wire has it */
export function systemGroupRequired(name: string): ApiError {
  return new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, { setting_name: name });
}

/** Where a group is used, so that it cannot be deactivated. */
export type GroupObjection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] };

export function groupInUse(objections: readonly GroupObjection[]): ApiError {
  return new ApiError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', { objections });
}

export function badEventQueueId(queueId: string): ApiError {
  return new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, { queue_id: queueId });
}

export function channelDoesNotExist(name: string): ApiError {
  return new ApiError('STREAM_DOES_NOT_EXIST', `Channel '${name}' does not exist`, { stream: name });
}

export function channelIdDoesNotExist(channelId: number): ApiError {
  return new ApiError('STREAM_DOES_NOT_EXIST', `Channel with ID '${channelId}' does not exist`, {
    stream_id: channelId,
  });
}

export function channelAlreadyExists(name: string): ApiError {
  return new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, { channel_name: name });
}

export function channelWildcardMentionNotAllowed(): ApiError {
  return new ApiError(
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'You do not have permission to use channel wildcard mentions in this channel.',
  );
}

export function topicWildcardMentionNotAllowed(): ApiError {
  return new ApiError(
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    'You do not have permission to use topic wildcard mentions in this topic.',
  );
}

export function cannotAdministerChannel(): ApiError {
  return new ApiError('CANNOT_ADMINISTER_CHANNEL', 'You do not have permission to administer this channel.');
}

/**
 * @param first of `messages`: the oldest that the caller may move; null where there is none
 * @param words where they are not about how many can be moved
 */
export function tooOldToMove(
  messages: { readonly first: number | null; readonly allowed: number; readonly total: number },
  words = `You only have permission to move the ${messages.allowed}/${messages.total} most recent messages in this topic.`,
): ApiError {
  const { first, allowed, total } = messages;
  return new ApiError('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', words, {
    first_message_id_allowed_to_move: first,
    total_messages_allowed_to_move: allowed,
    total_messages_in_topic: total,
  });
}

/** Administrator-only and similar operations, status 400: `unauthorizedPrincipal('Must be an organization administrator')`. */
export function uploadQuotaExceeded(): ApiError {
  return new ApiError('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota.");
}

/** @param limit in MiB */
export function fileTooLarge(limit: number): ApiError {
  return badRequest(`Uploaded file is larger than the allowed limit of ${limit} MiB`);
}

export function unauthorizedPrincipal(message: string): ApiError {
  return new ApiError('UNAUTHORIZED_PRINCIPAL', message);
}

/** Missing, malformed or wrong API credentials. */
export function unauthorized(message: string): ApiError {
  return new ApiError('UNAUTHORIZED', message);
}

/** Where credentials are required and none came. */
export function credentialsMissing(): ApiError {
  return unauthorized('Not logged in: API authentication or user session required');
}

/** A wrong password or user name. One message for both, so that it does not tell which accounts exist. */
export function authenticationFailed(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect');
}

export function deactivatedUser(): ApiError {
  return new ApiError('USER_DEACTIVATED', 'Account is deactivated');
}

export function deactivatedOrganization(): ApiError {
  return new ApiError('REALM_DEACTIVATED', 'This organization has been deactivated');
}

/** 404 with the code of a bad request: what the path names is none of the caller's things. */
export function resourceNotFound(message: string): ApiError {
  return new ApiError('RESOURCE_NOT_FOUND', message);
}

export function notFound(message = 'Not found'): ApiError {
  return new ApiError('NOT_FOUND', message);
}

export function unknownOrganization(subdomain: string): ApiError {
  const place = subdomain === '' ? "this server's root domain" : `the subdomain '${subdomain}'`;
  return new ApiError('NONEXISTENT_SUBDOMAIN', `There is no organization at ${place}`);
}

export function methodNotAllowed(allowed: readonly string[]): ApiError {
  return new ApiError('METHOD_NOT_ALLOWED', 'Method Not Allowed', { allowed_methods: allowed });
}

export function requestTimeout(): ApiError {
  return new ApiError('REQUEST_TIMEOUT', 'The request did not arrive in time');
}

/** @param limit bytes that a body may have */
export function payloadTooLarge(limit: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The request body is larger than the limit of ${limit} bytes`);
}

/** @param encoding as the request's `Content-Encoding` names it */
export function unsupportedEncoding(encoding: string): ApiError {
  return new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Content-Encoding '${encoding}' is not supported; send the body uncompressed`,
  );
}

export function rangeNotSatisfiable(): ApiError {
  return new ApiError('RANGE_NOT_SATISFIABLE', 'The file has no such part');
}

export function headersTooLarge(): ApiError {
  return new ApiError('HEADERS_TOO_LARGE', 'The request header is larger than the server accepts');
}

/** @param limit in words: so many of what, in which time */
export function rateLimited(retryAfterSeconds: number, limit: string): ApiError {
  return usageExceeded(
    retryAfterSeconds,
    `${limit}; whoever runs the server can lift its limits with HEDDLE_RATE_LIMITS=off`,
  );
}

/** Too many requests of an account wait their turn; no setting lifts that. */
export function tooManyAtOnce(waiting: number): ApiError {
  return usageExceeded(1, `${waiting} requests of this account are waiting their turn already`);
}

function usageExceeded(retryAfterSeconds: number, what: string): ApiError {
  return new ApiError('RATE_LIMIT_HIT', `API usage exceeded rate limit: ${what}`, { 'retry-after': retryAfterSeconds });
}

export function internal(): ApiError {
  return new ApiError('INTERNAL_SERVER_ERROR', 'Internal server error');
}

/** The database is down, or the server is stopping: trying again may work. What was asked may have been done or not. */
export function serviceUnavailable(message: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message);
}
