import { ApiError, isApiError, isOutcomeUnknown, UnexpectedAnswerError } from '../../calls/errors.ts';
import type { Caller } from '../../calls/operation.ts';
import {
  checkMatchesNarrow,
  getMessages,
  getPinnedMessages,
  getSearchHits,
  getTopics,
  sendMessage,
  updateMessageFlags,
} from '../../calls/operations.ts';
import type { Page, PageFetcher, PageQuery } from './message-pages.ts';
import type { Narrow } from './narrow.ts';
import { narrowOfPlace, wireNarrow } from './narrow.ts';
import type { Attempt, OutgoingMessage } from './outbox.ts';
import type { PinFetcher } from './pinned-messages.ts';
import type { SearchFetcher } from './relevant-hits.ts';
import type { TopicFetcher } from './topics.ts';

/** How many of the user's newest messages in a conversation are compared with a message whose request had no answer. */
const MAX_COMPARED_MESSAGES = 100;

/** How long a request for messages may take. The app then offers to try again. */
const PAGE_TIMEOUT_MS = 20_000;

const COMMON = { allow_empty_topic_name: true, client_gravatar: false } as const;

interface FetcherOptions {
  readonly isSpectator: boolean;
  readonly untilRetry: PageFetcher['untilRetry'];
}

/** Fetches messages for windows. */
export function pageFetcher(connection: Caller, { isSpectator, untilRetry }: FetcherOptions): PageFetcher {
  return {
    untilRetry,
    async page(query: PageQuery): Promise<Page> {
      const readable = isSpectator ? { ...query, narrow: spectatorNarrow(query.narrow) } : query;
      const answer = await getMessages(connection, parametersOf(readable), { timeout: PAGE_TIMEOUT_MS, retries: 2 });
      return {
        messages: answer.messages,
        anchor: answer.anchor ?? Number.MAX_SAFE_INTEGER,
        foundOldest: answer.found_oldest ?? false,
        foundNewest: answer.found_newest ?? false,
      };
    },
    async byIds(ids: readonly number[]) {
      const narrow = isSpectator ? { narrow: wireNarrow(spectatorNarrow([])) } : {};
      const parameters = { ...COMMON, message_ids: [...ids], ...narrow };
      return (await getMessages(connection, parameters, { timeout: PAGE_TIMEOUT_MS, retries: 2 })).messages;
    },
    async matching(ids: readonly number[], narrow: Narrow) {
      const parameters = { msg_ids: [...ids], narrow: wireNarrow(narrow) };
      const answer = await checkMatchesNarrow(connection, parameters, { timeout: PAGE_TIMEOUT_MS, retries: 2 });
      return Object.keys(answer.messages).map(Number);
    },
  };
}

/** How many of the most relevant messages a search shows. */
const RELEVANT_MESSAGES_PER_SEARCH = 50;

/** Asks about the hits of a search. */
export function searchFetcher(connection: Caller, isSpectator: boolean): SearchFetcher {
  const limits = { timeout: PAGE_TIMEOUT_MS, retries: 2 };
  const wireOf = (narrow: Narrow) => wireNarrow(isSpectator ? spectatorNarrow(narrow) : narrow);
  return {
    async count(narrow) {
      const answer = await getSearchHits(connection, { narrow: wireOf(narrow) }, limits);
      return { count: answer.count, isComplete: answer.is_complete };
    },
    async relevant(narrow) {
      const parameters = { narrow: wireOf(narrow), num_relevant: RELEVANT_MESSAGES_PER_SEARCH };
      return (await getSearchHits(connection, parameters, limits)).message_ids;
    },
    async matches(ids, narrow) {
      const parameters = { ...COMMON, message_ids: [...ids], narrow: wireOf(narrow) };
      return (await getMessages(connection, parameters, limits)).messages;
    },
  };
}

/** What a client without an account may request: the narrow names the public channels, and nothing that depends on a user. */
export function spectatorNarrow(narrow: Narrow): Narrow {
  // A spectator has muted nothing.
  const isUnmuted = ({ operator, operand, negated }: Narrow[number]) =>
    operator === 'is' && operand === 'muted' && negated === true;
  return [{ operator: 'channels', operand: 'web-public' }, ...narrow.filter((term) => !isUnmuted(term))];
}

function parametersOf({ narrow, anchor, since, before, after, includeAnchor }: PageQuery) {
  return {
    ...COMMON,
    ...(since === undefined ? { anchor } : { anchor: 'date' as const, anchor_date: since }),
    num_before: before,
    num_after: after,
    include_anchor: includeAnchor,
    narrow: wireNarrow(narrow),
  };
}

export function pinFetcher(connection: Caller): PinFetcher {
  return async (channelId) => {
    const { pinned_messages } = await getPinnedMessages(connection, { stream_id: channelId }, { retries: 2 });
    return pinned_messages.map((one) => ({
      messageId: one.message_id,
      topic: one.topic,
      place: one.place,
      userId: one.pinned_by,
      pinnedAt: one.date_pinned,
    }));
  };
}

export function topicFetcher(connection: Caller): TopicFetcher {
  return async (channelId) =>
    (await getTopics(connection, { stream_id: channelId, allow_empty_topic_name: true }, { retries: 2 })).topics;
}

/**
 * Sends a message of the outbox.
 * @param queueId the queue whose event shall contain the local id
 */
export async function attemptToSend(
  connection: Caller,
  { place, content, localId }: OutgoingMessage,
  ownId: number,
  queueId: string | undefined,
): Promise<Attempt> {
  const recipient =
    place.kind === 'topic'
      ? ({ type: 'channel', to: place.channelId, topic: place.topic } as const)
      : ({ type: 'direct', to: place.userIds.length === 0 ? [ownId] : place.userIds } as const);
  const echo = queueId === undefined ? {} : { queue_id: queueId, local_id: localId };
  try {
    const { id } = await sendMessage(connection, { ...recipient, content, ...echo, read_by_sender: true });
    return { outcome: 'sent', id };
  } catch (error) {
    if (isApiError(error, 'RATE_LIMIT_HIT')) return { outcome: 'later', seconds: error.retryAfter ?? 1 };
    if (isApiError(error, 'UNAUTHORIZED')) return { outcome: 'logged-out' };
    if (isOutcomeUnknown(error)) return { outcome: 'unknown' };
    if (error instanceof ApiError) return { outcome: 'refused', problem: error.message, problemCode: error.code };
    if (error instanceof UnexpectedAnswerError)
      return { outcome: 'refused', problem: error.message, proxyStatus: error.status };
    // The server did not receive it.
    return { outcome: 'later', seconds: 0 };
  }
}

/** The ids of the user's messages that equal a message of the outbox. Oldest first. Rejects without an answer. */
export async function findSent(
  connection: Caller,
  message: OutgoingMessage,
  ownId: number,
): Promise<readonly number[]> {
  const narrow: Narrow = [...narrowOfPlace(message.place, ownId), { operator: 'sender', operand: ownId }];
  const query = { narrow, anchor: 'newest' as const, before: MAX_COMPARED_MESSAGES, after: 0, includeAnchor: true };
  const { messages } = await getMessages(connection, { ...parametersOf(query), apply_markdown: false });
  // The server trims the end, and the encoding of requests replaces half characters.
  const text = message.content.toWellFormed().trim();
  return messages.filter(({ id, content }) => id > message.afterId && content.trim() === text).map(({ id }) => id);
}

/** Marks messages as read. Rejects if it must be tried again. */
export async function sendRead(connection: Caller, ids: readonly number[]): Promise<void> {
  try {
    await updateMessageFlags(connection, { messages: ids, op: 'add', flag: 'read' }, { retries: 2 });
  } catch (error) {
    // Another attempt at the same request would be refused again.
    if (error instanceof ApiError && error.status < 429) return;
    throw error;
  }
}
