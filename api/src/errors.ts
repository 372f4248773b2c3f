/** One function per error that the API returns. */
import { type ErrorCode, errorDefinitions } from './error-definitions.ts';

export {
  commonErrors,
  type ErrorCode,
  type ErrorDefinition,
  errorDefinitions,
  wireCodeOf,
} from './error-definitions.ts';

export type ErrorExtra = { readonly [field: string]: unknown };

/** An error for the client. The response has `status` and contains `code`, the message and `extra`. */
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

/** The general error. Clients show `message` to people. */
export function badRequest(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message);
}

export function missingParameter(name: string): ApiError {
  return new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name });
}

/** @param field `__all__` for a problem of several fields together */
export function invalidField(field: string, problem: string): ApiError {
  return new ApiError('INVALID_FIELDS', problem, { errors: { [field]: [problem] } });
}

/** `problem` follows the name, for example `invalidParameter('num_before', 'is not an integer')`. */
export function invalidParameter(name: string, problem: string): ApiError {
  return new ApiError('BAD_REQUEST', `${name} ${problem}`);
}

/** A value that is not in the list of valid values, for example `Invalid type`. */
export function invalidChoice(name: string): ApiError {
  return new ApiError('BAD_REQUEST', `Invalid ${name}`);
}

/** A value that fails validation, with the text of the reference: `Invalid timezone: Value error, Not a recognized time zone`. */
export function invalidValue(name: string, problem: string): ApiError {
  return new ApiError('BAD_REQUEST', `Invalid ${name}: Value error, ${problem}`);
}

/** An invalid limit or number of days, for example `Bad value for 'message_retention_days': 0`. */
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

/** @param name of the parameter with the expected value */
export function expectationMismatch(name: string): ApiError {
  return new ApiError('EXPECTATION_MISMATCH', `'${name}' value does not match the expected value.`, {
    field_name: name,
  });
}

/** @param emptyTopic the display name of the empty topic, which the message contains */
export function topicNotAllowed(message: string, emptyTopic: string): ApiError {
  return new ApiError('TOPIC_NOT_ALLOWED', message, { empty_topic_display_name: emptyTopic });
}

export function unsupportedCombination(names: readonly string[]): ApiError {
  const parameters = names.join(', ');
  return new ApiError('UNSUPPORTED_COMBINATION', `Unsupported parameter combination: ${parameters}`, { parameters });
}

/** @param name wire name of the permission */
export function systemGroupRequired(name: string): ApiError {
  return new ApiError('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, { setting_name: name });
}

/** The objects that use a group and thus prevent its deactivation. */
export type GroupObjection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] };

export function groupInUse(objections: readonly GroupObjection[]): ApiError {
  return new ApiError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', { objections });
}

/** An address without an invitation: the address, the reason, and whether it belongs to a deactivated account. */
export type InvitationProblem = readonly [email: string, problem: string, isDeactivated: boolean];

export function invitationFailed(
  message: string,
  more: {
    readonly errors?: readonly InvitationProblem[];
    readonly hasSentOthers?: boolean;
    readonly isDailyLimitReached?: boolean;
  } = {},
): ApiError {
  return new ApiError('INVITATION_FAILED', message, {
    errors: more.errors ?? [],
    sent_invitations: more.hasSentOthers ?? false,
    license_limit_reached: false,
    daily_limit_reached: more.isDailyLimitReached ?? false,
  });
}

const GIF_FAILURES = {
  unreachable: 'The service of GIFs does not respond; please try again later',
  refused: 'The service of GIFs refuses the key of this organization; an administrator can change it',
  limited: 'The service of GIFs allows no more requests at the moment; please try again later',
} as const;

export type GifFailure = keyof typeof GIF_FAILURES;

export function gifServiceFailed(reason: GifFailure): ApiError {
  return new ApiError('GIF_SERVICE_FAILED', GIF_FAILURES[reason], { reason });
}

export function noActivePushDevice(): ApiError {
  return new ApiError('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device');
}

/** The caller did not add this token. */
export function unknownPushToken(): ApiError {
  return new ApiError('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized');
}

/** The push service does not know this token. */
export function unknownToPushService(): ApiError {
  return new ApiError('INVALID_REMOTE_PUSH_DEVICE_TOKEN', 'Device not recognized by the push bouncer');
}

export function pushServiceRefuses(): ApiError {
  return new ApiError(
    'ADMIN_ACTION_REQUIRED',
    'Push notification configuration issue on server, contact the server administrator or retry later.',
  );
}

export function pushServiceUnreachable(): ApiError {
  return new ApiError(
    'FAILED_TO_CONNECT_BOUNCER',
    'Network error while connecting to Zulip push notification service.',
  );
}

export function pushServiceFails(): ApiError {
  return new ApiError(
    'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    'Internal server error on Zulip push notification service, retry later.',
  );
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
 * @param messages `first` is the ID of the oldest message that the caller can move, or null
 * @param words the message, if it is not about the number of messages
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

export function uploadQuotaExceeded(): ApiError {
  return new ApiError('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota.");
}

/** @param limit in MiB */
export function fileTooLarge(limit: number): ApiError {
  return badRequest(`Uploaded file is larger than the allowed limit of ${limit} MiB`);
}

/** The caller lacks a role, for example `unauthorizedPrincipal('Must be an organization administrator')`. Status 400. */
export function unauthorizedPrincipal(message: string): ApiError {
  return new ApiError('UNAUTHORIZED_PRINCIPAL', message);
}

/** @param isLastOwner false for the last user of the organization */
export function cannotDeactivateLastUser(isLastOwner: boolean): ApiError {
  const entity = isLastOwner ? 'organization owner' : 'user';
  const extra = { is_last_owner: isLastOwner, entity };
  return new ApiError('CANNOT_DEACTIVATE_LAST_USER', `Cannot deactivate the only ${entity}.`, extra);
}

/** Missing, malformed or wrong API credentials. */
export function unauthorized(message: string): ApiError {
  return new ApiError('UNAUTHORIZED', message);
}

/** The request lacks required credentials. */
export function credentialsMissing(): ApiError {
  return unauthorized('Not logged in: API authentication or user session required');
}

/** A wrong password or user name. Both have the same message, so that it does not reveal which accounts exist. */
export function authenticationFailed(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect');
}

/** @param reason a sentence */
export function csrfFailed(reason: string): ApiError {
  return new ApiError('CSRF_FAILED', `CSRF error: ${reason}`, { reason });
}

export function deactivatedUser(): ApiError {
  return new ApiError('USER_DEACTIVATED', 'Account is deactivated');
}

export function deactivatedOrganization(): ApiError {
  return new ApiError('REALM_DEACTIVATED', 'This organization has been deactivated');
}

/** The caller has no object with the ID in the path. Status 404 with the code `BAD_REQUEST`. */
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

/** @param limit maximum size of a body in bytes */
export function payloadTooLarge(limit: number): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', `The request body is larger than the limit of ${limit} bytes`);
}

/** @param encoding value of `Content-Encoding` */
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

/** @param limit describes the limit: what, how many, in which time */
export function rateLimited(retryAfterSeconds: number, limit: string): ApiError {
  return usageExceeded(
    retryAfterSeconds,
    `${limit}; the operator of the server can turn limits off with HEDDLE_RATE_LIMITS=off`,
  );
}

/** Too many requests of an account are waiting. No setting turns this limit off. */
export function tooManyAtOnce(waiting: number): ApiError {
  return usageExceeded(1, `${waiting} requests of this account are already waiting`);
}

function usageExceeded(retryAfterSeconds: number, what: string): ApiError {
  return new ApiError('RATE_LIMIT_HIT', `API usage exceeded rate limit: ${what}`, { 'retry-after': retryAfterSeconds });
}

export function internal(): ApiError {
  return new ApiError('INTERNAL_SERVER_ERROR', 'Internal server error');
}

/** The database is down or the server is stopping. The server changed nothing. A retry can succeed. */
export function serviceUnavailable(message: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message);
}

/** So many clients register at once that this one would wait for too long. */
export function tooManyRegistrations(retryAfterSeconds: number): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'Many clients connect at once; please try again later', {
    'retry-after': retryAfterSeconds,
  });
}

/** The connection to the database broke while the change was committed, or after a part of it. */
export function outcomeUnknown(): ApiError {
  return new ApiError(
    'OUTCOME_UNKNOWN',
    'The connection to the database broke while the change was stored. It may be stored or not; look before you try again',
  );
}
