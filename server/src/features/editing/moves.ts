import { channelAudience } from '../../access/message-audience.ts';
import type { SeenMessage } from '../../access/message-door.ts';
import type { Directory } from '../../directory/directory.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Audience, NewEvent } from '../../log/event.ts';
import { announceFirstMessage, reviveByMoving } from '../channels/actions.ts';
import { announceGone } from '../deleting/actions.ts';
import { linksInTopic } from '../linkifiers/queries.ts';
import { type FirstMessages, moveMessages } from '../messages/actions.ts';
import { announceReadTo, announceUnread } from '../read-state/actions.ts';
import { type ChannelNotice, type Noticing, noticeInChannels } from '../sending/actions.ts';
import { beginByMoving, carryPolicies } from '../topics/actions.ts';
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

/** Who moves what, and how it is told. */
export interface Mover {
  readonly user: UserRecord;
  readonly request: EditRequest;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly noticing: Noticing;
  /** Where the organization lives, without a slash at the end. */
  readonly organizationUrl: string;
}

/** Of a move in several commits. */
export interface MovedSoFar {
  readonly count: number;
  /** Whether the new thread had messages that the mover sees, before any came. */
  readonly findsSome: boolean;
  /** Whether it had any. */
  readonly threadExists: boolean;
}

const NOBODY: NewReaders = { received: [], unread: [] };

/**
 * Moves a message that the user sees, with those that go with it, as many as one commit takes; and edits its text in the last.
 * @param edit gives the named message its new text; null: none
 * @param before what earlier commits of the same request have done
 * @returns what is done by now, and whether that is all
 * @throws ApiError for what forbids it
 */
export async function moveThread(
  change: OrdinaryChange,
  mover: Mover,
  message: SeenMessage,
  move: PlannedMove,
  edit: () => Promise<EditedContent> | null,
  before: MovedSoFar | undefined,
): Promise<MovedSoFar & { readonly isDone: boolean }> {
  const chosen = await chooseMessages(change, mover.user, message, move);
  const count = (before?.count ?? 0) + chosen.ids.length;
  // What is there since the first commit is not what was there before it.
  const { findsSome, threadExists } = before ?? chosen;
  const done = { count, findsSome, threadExists };
  const content = chosen.isLast ? await edit() : null;
  const firstMessages = await moveChosen(change, mover, message, move, chosen.ids, content);
  for (const [channelId, first] of firstMessages) announceFirstMessage(change, channelId, first);
  const to = move.from === move.to ? move.to : await reviveByMoving(change, move.to);
  if (chosen.isLast) {
    await tellThreads(change, mover, message, { ...move, to }, { ...chosen, ...done }, firstMessages, content);
  }
  return { isDone: chosen.isLast, ...done };
}

async function moveChosen(
  change: OrdinaryChange,
  { user, at }: Mover,
  message: SeenMessage,
  move: PlannedMove,
  ids: readonly number[],
  content: EditedContent | null,
): Promise<FirstMessages> {
  const { db, directory } = change;
  const { from, to, fromTopic, newTopic, propagation } = move;
  const id = ids.includes(message.id) ? message.id : (ids.at(-1) ?? message.id);
  const named = { id, channelId: from.id };
  const { readers, audience, hidden } = await readersOf(db, directory, named);
  const holders = await holdersOf(db, directory, { ids, named: id }, move, hidden);
  const { firstMessages } = await moveMessages(db, directory.organization.id, {
    messageIds: ids,
    channelId: to.id,
    topic: newTopic,
    counts: from !== to || move.topic === 'renamed',
    userId: user.id,
    at,
    edited: content === null ? null : message.id,
    knownDirectory: directory.appliedThrough,
  });
  const others = holders.keeping;
  const notReceived = [...new Set([...readers.notReceived, ...holders.notReceived])];
  const update = { user, at, message: named, readers: { ...readers, others, notReceived } };
  // What it says is erased with the message; where the others are is not.
  const isTwo = content !== null && ids.length > 1;
  if (isTwo) appendUpdate(change, { ...update, readers, messageIds: [id], content, audience });
  const topicLinks = linksInTopic(directory, newTopic ?? '');
  const tell = (toWhom: Audience, newReaders: NewReaders) => {
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
    tell(channelAudience(from.id, holders.keeping, holders.hidden), NOBODY);
    return firstMessages;
  }
  await dropStars(db, directory, ids, (userId) => hasLost(directory, userId, move, holders));
  const arrival = await arrivalOf(db, directory, ids, id, move);
  const { moved, left, lost } = audiencesOf(directory, move, holders);
  announceReadTo(change, left, from.id, ids);
  tell(moved, arrival.newReaders);
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
  return firstMessages;
}

function hasLost(directory: Directory, userId: number, { from, to }: PlannedMove, holders: MessageHolders): boolean {
  if (holders.losing.includes(userId)) return true;
  const had = directory.subscriptions.has(from.id, userId) && !holders.hidden.includes(userId);
  return had && !mayReadArrivals(directory, userId, to);
}

/** What the notification bot says of it in both threads, and whose policies change. */
async function tellThreads(
  change: OrdinaryChange,
  { user, request, noticing, organizationUrl }: Mover,
  message: SeenMessage,
  move: PlannedMove,
  { leavesSome, findsSome, threadExists, isFirst, count }: ChosenMessages & MovedSoFar,
  firstMessages: FirstMessages,
  content: EditedContent | null,
): Promise<void> {
  const { directory } = change;
  const { from, to, fromTopic } = move;
  const toTopic = move.newTopic ?? fromTopic;
  await changePolicies(change, message.senderId, move, { leavesSome, threadExists, isFirst });
  const thread = { mover: user, from, fromTopic, to, toTopic, messageId: message.id, count, leavesSome, findsSome };
  const notices: ChannelNotice[] = [];
  const isResolving = move.topic === 'resolved' || move.topic === 'unresolved';
  // The new thread has messages, and the old channel perhaps none any more.
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
    await noticeResolved(change, { channel: newChannel, topic: toTopic }, what, noticing);
  }
  noticeInChannels(change, notices, {
    ...noticing,
    isSubscribed: (userId, { id }) => directory.subscriptions.has(id, userId),
  });
}

/** People's policies go with a topic, as far as the mover sees that it goes whole; else it may be that a new one begins. */
async function changePolicies(
  { db, directory, append }: OrdinaryChange,
  senderId: number,
  { from, fromTopic, to, newTopic }: PlannedMove,
  { leavesSome, threadExists, isFirst }: Pick<ChosenMessages, 'leavesSome' | 'threadExists' | 'isFirst'>,
): Promise<void> {
  const [old, now] = [
    { channelId: from.id, topic: fromTopic },
    { channelId: to.id, topic: newTopic ?? fromTopic },
  ];
  const cannotRead = (userId: number) => from !== to && !mayReadArrivals(directory, userId, to);
  const tell = (events: readonly NewEvent[]) => {
    for (const event of events) append(event);
  };
  if (!leavesSome) {
    const moved = { from: old, to: now, joinsOthers: threadExists, hasLost: cannotRead };
    tell(await carryPolicies(db, directory, moved));
  } else if (isFirst && !cannotRead(senderId)) {
    tell(await beginByMoving(db, directory, senderId, now));
  }
}
