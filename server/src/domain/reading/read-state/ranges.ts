import { badRequest } from '@heddle/api/errors.ts';
import { accessChannel } from '../../../access/channels.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { HistoryRequest, MessageQueries } from '../history/queries.ts';
import { changeFlags, checkFlag, type FlagChange, markRead } from './actions.ts';

/** Messages per request. */
const MAX_MESSAGES_PER_REQUEST = 5000;

export interface RangeFlagged {
  /** The messages of the range, ascending. */
  readonly messageIds: readonly number[];
  /** Those whose flag changed. */
  readonly updatedIds: readonly number[];
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  readonly ignoredChannels: readonly number[];
}

/**
 * Changes a flag of the messages around an anchor within a narrow (public reference: "Update personal message flags for
 * narrow"). A range that is too large is cut: clients continue from the last id. Messages that became inaccessible
 * meanwhile are skipped.
 * @throws ApiError for a flag that cannot be changed, or an invalid narrow
 */
export async function changeFlagsInNarrow(
  organization: Organization,
  queries: MessageQueries,
  caller: UserRecord,
  { flag, op }: Pick<FlagChange, 'flag' | 'op'>,
  range: HistoryRequest,
): Promise<RangeFlagged> {
  checkFlag(flag);
  const before = Math.min(range.before, Math.max(MAX_MESSAGES_PER_REQUEST - range.after, MAX_MESSAGES_PER_REQUEST / 2));
  const after = Math.min(range.after, MAX_MESSAGES_PER_REQUEST - before);
  const { ids, ...found } = await queries.idsAround(organization, caller, { ...range, before, after });
  const change = { flag, op, messageIds: ids, hidden: 'passed over' } as const;
  const { messageIds: updated, ignoredChannels } = await changeFlags(organization, caller, change);
  return { ...found, messageIds: ids, updatedIds: updated, ignoredChannels };
}

/** A channel, or one topic in it. */
export interface PlaceToRead {
  readonly channelId: number;
  readonly topic?: string;
}

/**
 * Marks all messages of a channel or topic as read. It begins with the oldest, so that the last read id moves up and
 * the messages below it need no rows.
 * @throws ApiError `BAD_REQUEST`: the caller cannot access such a channel, or the topic does not exist in it
 */
export async function markPlaceRead(
  organization: Organization,
  queries: MessageQueries,
  caller: UserRecord,
  { channelId, topic }: PlaceToRead,
): Promise<void> {
  const channel = accessChannel(organization.directory, caller, channelId, 'read');
  if (channel.isArchived) throw badRequest('Invalid channel ID');
  const place = [
    { operator: 'channel', operand: channel.id },
    ...(topic === undefined ? [] : [{ operator: 'topic', operand: topic }]),
  ];
  const from = { before: 0, includeAnchor: true, narrow: place } as const;
  if (topic !== undefined) {
    const { ids } = await queries.idsAround(organization, caller, { ...from, anchor: 'oldest', after: 1 });
    if (ids.length === 0) throw badRequest(`No such topic '${topic}'`);
  }
  await markRead(organization, queries, caller, place);
}
