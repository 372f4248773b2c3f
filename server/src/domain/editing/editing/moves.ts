/**
 * Moves messages to another topic or channel, one batch per transaction.
 *
 * Example: Ada moves a topic of 12,000 messages from channel 5 to channel 8, with `change_all`. It takes three commits.
 * Each locks at most 5,000 messages besides the named one, from the newest on:
 * - Commits 1 and 2 move 5,000 messages each. The newest message of the batch takes the part of the named message in
 *   its event.
 * - Commit 3 finds fewer than 5,000, so it is the last one. It moves the other 2,000 messages, with the named message.
 *   Then it moves the topic policies and sends the notices of both threads.
 *
 * Each commit does the same steps:
 *
 * 1. Determine who has the messages (`readersOf`, `holdersOf`). This must be before the move.
 * 2. Move the rows (`moveMessages`).
 * 3. Remove stars of users who lost access, and determine who gets the messages (`dropStars`, `arrivalOf`).
 * 4. Append the events, in the order of `moveChosen`.
 * 5. Update the first messages of both channels. This may acquire the organization lock, so only one short statement
 *    follows: it makes an inactive channel active.
 *
 * If the process is killed after commit 1, 7,000 messages are still in the old topic. The same request moves them.
 */
import { channelAudience } from '../../../access/message-audience.ts';
import type { SeenMessage } from '../../../access/message-door.ts';
import type { Directory } from '../../../directory/directory.ts';
import { contains } from '../../../directory/lists.ts';
import type { OptimisticChange } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { Audience, NewEvent } from '../../../log/event.ts';
import { reviveByMoving } from '../../channels/activity.ts';
import { announceFirstMessage } from '../../channels/first-message.ts';
import { type FirstMessages, moveMessages, updateFirstMessages } from '../../messages/messages/actions.ts';
import { announceReadTo, announceUnread } from '../../reading/read-state/actions.ts';
import { type ChannelNotice, type NoticeContext, noticeInChannels } from '../../sending/sending/notices.ts';
import { linksInTopic } from '../../texts/linkifiers/queries.ts';
import { beginByMoving, carryPolicies } from '../../topics/moved.ts';
import { announceGone } from '../deleting/actions.ts';
import { audiencesOf, mayReadArrivals } from './audiences.ts';
import type { NewReaders } from './body.ts';
import type { EditedContent } from './content.ts';
import { arrivalOf, dropStars, holdersOf, type MessageHolders } from './moved-readers.ts';
import { type ChosenMessages, chooseMessages } from './moving.ts';
import { readersOf } from './readers.ts';
import type { EditRequest, PlannedMove } from './request.ts';
import { noticeResolved } from './resolving.ts';
import { newThreadNotice, oldThreadNotice } from './thread-notices.ts';
import { appendUpdate } from './update-event.ts';

/** The user who moves, the request, and what the notices need. */
export interface Mover {
  readonly user: UserRecord;
  readonly request: EditRequest;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly noticeContext: NoticeContext;
  /** The address of the organization, without a slash at the end. */
  readonly organizationUrl: string;
}

/** The state of a move with several commits. */
export interface MovedSoFar {
  readonly count: number;
  /** Whether the new thread had messages that the mover can see, before the move began. */
  readonly findsSome: boolean;
  /** Whether the new thread had any messages before the move began. */
  readonly threadExists: boolean;
}

const NOBODY: NewReaders = { received: [], unread: [] };

/**
 * Moves one batch: the named message, which the user can see, and the messages that move with it. The last batch also
 * edits the text.
 * @param edit changes the text of the named message; its result is null if the request has no text
 * @param before what earlier commits of the same request did
 * @returns the new state of the move, and whether it is complete
 * @throws ApiError if the user is not allowed to do it
 */
export async function moveThread(
  change: OptimisticChange,
  mover: Mover,
  message: SeenMessage,
  move: PlannedMove,
  edit: () => Promise<EditedContent> | null,
  before: MovedSoFar | undefined,
): Promise<MovedSoFar & { readonly isDone: boolean }> {
  const chosen = await chooseMessages(change, mover.user, message, move);
  const count = (before?.count ?? 0) + chosen.ids.length;
  // Only the first commit can see the new thread as it was before the move.
  const { findsSome, threadExists } = before ?? chosen;
  const done = { count, findsSome, threadExists };
  if (chosen.ids.length === 0) return { isDone: false, ...done };
  const content = chosen.isLast ? await edit() : null;
  const channelIds = await moveChosen(change, mover, message, move, chosen.ids, content);
  const whole = { ...chosen, ...done };
  if (chosen.isLast) await changePolicies(change, message.senderId, move, whole);
  const firstMessages = await updateFirstMessages(change, channelIds);
  for (const [channelId, first] of firstMessages) announceFirstMessage(change, channelId, first);
  // After the first messages: their state deltas contain whole channels, with the previous activity.
  const to = move.from === move.to ? move.to : await reviveByMoving(change, move.to);
  if (chosen.isLast) await noticeThreads(change, mover, message, { ...move, to }, whole, firstMessages, content);
  return { isDone: chosen.isLast, ...done };
}

/** @returns the channels whose first message may have changed */
async function moveChosen(
  change: OptimisticChange,
  { user, at }: Mover,
  message: SeenMessage,
  move: PlannedMove,
  ids: readonly number[],
  content: EditedContent | null,
): Promise<readonly number[]> {
  const { db, directory } = change;
  const { from, to, fromTopic, newTopic, propagation } = move;
  const id = ids.includes(message.id) ? message.id : (ids.at(-1) ?? message.id);
  const named = { id, channelId: from.id };
  const { readers, audience, hidden } = await readersOf(db, directory, named);
  const holders = await holdersOf(db, directory, { ids, named: id }, move, hidden);
  const channelIds = await moveMessages(db, directory.organization.id, {
    messageIds: ids,
    channelId: to.id,
    topic: newTopic,
    counts: from !== to || move.topic === 'renamed',
    userId: user.id,
    at,
    edited: content === null ? null : message.id,
    knownDirectory: directory.appliedThrough,
  });
  const toTopic = newTopic ?? fromTopic;
  await change.hooks.messagesMoved(change, {
    messageIds: ids,
    fromChannelId: from.id,
    toChannelId: to.id,
    topic: toTopic,
  });
  const others = holders.keeping;
  const notReceived = [...new Set([...readers.notReceived, ...holders.notReceived])];
  const update = { user, at, message: named, readers: { ...readers, others, notReceived } };
  // Separate events: the one with the text is redacted when its message is deleted, and the one about the other
  // messages must stay.
  const isTwo = content !== null && ids.length > 1;
  if (isTwo) appendUpdate(change, { ...update, readers, messageIds: [id], content, audience });
  const topicLinks = linksInTopic(directory, newTopic ?? '');
  const announce = (toWhom: Audience, newReaders: NewReaders) => {
    const toChannelId = from === to ? null : to.id;
    const links = topicLinks.length > 0 && { topicLinks };
    const place = { fromTopic, newTopic, ...links, toChannelId, propagation, newReaders };
    appendUpdate(change, {
      ...update,
      messageIds: ids,
      content: isTwo ? null : content,
      move: place,
      audience: toWhom,
    });
  };
  if (from === to) {
    announce(channelAudience(from.id, holders.keeping, holders.hidden), NOBODY);
    return channelIds;
  }
  await dropStars(db, directory, ids, (userId) => hasLost(directory, userId, move, holders));
  const arrival = await arrivalOf(db, directory, ids, id, move);
  const { moved, left, lost } = audiencesOf(directory, move, holders);
  announceReadTo(change, left, from.id, ids);
  announce(moved, arrival.newReaders);
  if (lost !== undefined) {
    const gone = {
      messageIds: ids,
      place: { channelId: from.id, topic: fromTopic },
      others: holders.losing,
      stay: true,
    };
    announceGone(change, [{ ...gone, audience: lost }]);
  }
  await announceUnread(change, arrival.unread);
  return channelIds;
}

function hasLost(directory: Directory, userId: number, { from, to }: PlannedMove, holders: MessageHolders): boolean {
  if (contains(holders.losing, userId)) return true;
  const had = directory.subscriptions.has(from.id, userId) && !contains(holders.hidden, userId);
  return had && !mayReadArrivals(directory, userId, to);
}

/** Sends the notices of the notification bot to both threads. */
async function noticeThreads(
  change: OptimisticChange,
  { user, request, noticeContext, organizationUrl }: Mover,
  message: SeenMessage,
  move: PlannedMove,
  { leavesSome, findsSome, count }: ChosenMessages & MovedSoFar,
  firstMessages: FirstMessages,
  content: EditedContent | null,
): Promise<void> {
  const { directory } = change;
  const { from, to, fromTopic } = move;
  const toTopic = move.newTopic ?? fromTopic;
  const thread = { mover: user, from, fromTopic, to, toTopic, messageId: message.id, count, leavesSome, findsSome };
  const notices: ChannelNotice[] = [];
  const isResolving = move.topic === 'resolved' || move.topic === 'unresolved';
  // The new channel now has messages. The old channel may have none.
  const oldChannel = {
    ...from,
    firstMessageId: firstMessages.get(from.id) ?? (firstMessages.has(from.id) ? null : from.firstMessageId),
  };
  const newChannel = { ...to, firstMessageId: message.id };
  if (request.noticeInNewThread && (from !== to || !isResolving)) {
    notices.push({ channel: newChannel, topic: toTopic, content: newThreadNotice(thread, organizationUrl) });
  }
  if (request.noticeInOldThread) {
    notices.push({
      channel: from === to ? newChannel : oldChannel,
      topic: fromTopic,
      content: oldThreadNotice(thread),
    });
  }
  if (isResolving && from === to && content === null) {
    const what = move.topic === 'resolved' ? 'resolved' : 'unresolved';
    await noticeResolved(change, { channel: newChannel, topic: toTopic }, what, noticeContext);
  }
  noticeInChannels(change, notices, {
    ...noticeContext,
    isSubscribed: (userId, { id }) => directory.subscriptions.has(id, userId),
  });
}

/**
 * Moves the topic policies of users if, as far as the mover can see, the whole topic moved. Otherwise the move may have
 * started a new topic.
 */
async function changePolicies(
  { db, directory, append }: OptimisticChange,
  senderId: number,
  { from, fromTopic, to, newTopic }: PlannedMove,
  { leavesSome, threadExists, isFirst }: Pick<ChosenMessages, 'leavesSome' | 'threadExists' | 'isFirst'>,
): Promise<void> {
  const [old, now] = [
    { channelId: from.id, topic: fromTopic },
    { channelId: to.id, topic: newTopic ?? fromTopic },
  ];
  const cannotRead = (userId: number) => from !== to && !mayReadArrivals(directory, userId, to);
  const announce = (events: readonly NewEvent[]) => {
    for (const event of events) append(event);
  };
  if (!leavesSome) {
    const moved = { from: old, to: now, joinsOthers: threadExists, hasLost: cannotRead };
    announce(await carryPolicies(db, directory, moved));
  } else if (isFirst && !cannotRead(senderId)) {
    announce(await beginByMoving(db, directory, senderId, now));
  }
}
