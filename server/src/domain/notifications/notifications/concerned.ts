/** Which users an event of the log may concern, among those who can be notified. */
import { FlagBit } from '../../../db/flag-bits.ts';
import type { Directory } from '../../../directory/directory.ts';
import { contains } from '../../../directory/lists.ts';
import type { LoggedEvent } from '../../../log/event.ts';
import { mentionsIn } from '../../../markup/index.ts';
import { messageUpdateBody } from '../../editing/editing/body.ts';
import { mentionedNow } from '../../editing/editing/readers.ts';
import { type MessageBody, messageBody } from '../../messages/messages/message-body.ts';
import { mutesPart } from '../../users/users/mutes.ts';
import { type Place, placeKey } from './candidates.ts';
import type { Concern, TopicPreferences } from './causes.ts';
import { mentioningGroups } from './mentioning-group.ts';

export interface Concerned extends Concern {
  readonly userId: number;
  readonly messageId: number;
  /** The user group that mentions the user. */
  readonly groupId: number | null;
}

type PreferencesByTopic = ReadonlyMap<string, ReadonlyMap<number, TopicPreferences>>;

/** The topics of the events' messages, each once. */
export function placesIn(events: readonly LoggedEvent[]): readonly Place[] {
  const places = new Map<string, Place>();
  for (const event of events) {
    if (event.type !== 'message' || event.body === null) continue;
    const { channel, topic, mentionsChannel, topicMentioned } = messageBody(event);
    if (channel === null) continue;
    const key = placeKey({ channelId: channel.id, topic });
    const mentionsEveryone = mentionsChannel || topicMentioned.length > 0 || places.get(key)?.mentionsEveryone === true;
    places.set(key, { channelId: channel.id, topic, mentionsEveryone });
  }
  return [...places.values()];
}

/** Whether the event is a message of a topic whose preferences are not among these. */
export function isOutside(event: LoggedEvent, preferencesByTopic: PreferencesByTopic): boolean {
  if (event.type !== 'message' || event.body === null) return false;
  const { channel, topic } = messageBody(event);
  return channel !== null && !preferencesByTopic.has(placeKey({ channelId: channel.id, topic }));
}

export function concernsIn(
  event: LoggedEvent,
  directory: Directory,
  candidates: ReadonlySet<number>,
  preferencesByTopic: PreferencesByTopic,
  maxAgeSeconds: number,
): readonly Concerned[] {
  const since = Date.now() / 1000 - maxAgeSeconds;
  // The text of a deleted message is gone.
  if (event.body === null || event.messageId === undefined) return [];
  if (event.type === 'update_message') return byEdit(event, event.messageId, directory, candidates, since);
  if (event.type !== 'message') return [];
  const body = messageBody(event);
  if (body.sentAt < since) return [];
  const concerned =
    body.channel === null
      ? byConversation(body, event.messageId, candidates)
      : byChannel(
          body,
          event.messageId,
          directory,
          candidates,
          preferencesByTopic.get(placeKey({ channelId: body.channel.id, topic: body.topic })),
        );
  const { sender, readBy = [] } = body;
  return concerned.filter(({ userId }) => userId !== sender.id && !contains(readBy, userId));
}

function byConversation(
  { participants }: MessageBody,
  messageId: number,
  candidates: ReadonlySet<number>,
): readonly Concerned[] {
  return participants
    .filter(({ id }) => candidates.has(id))
    .map(({ id }) => ({ ...UNCONCERNED, userId: id, messageId, isDirect: true }));
}

function byChannel(
  { mentioned, mentionsChannel, topicMentioned, renderedContent }: MessageBody,
  messageId: number,
  directory: Directory,
  candidates: ReadonlySet<number>,
  preferencesByTopic: ReadonlyMap<number, TopicPreferences> = new Map(),
): readonly Concerned[] {
  const isMentioned = new Set(mentioned.filter((userId) => candidates.has(userId)));
  const groups =
    isMentioned.size === 0 ? NO_GROUPS : mentioningGroups(directory, mentionsIn(renderedContent), isMentioned);
  return [...new Set([...isMentioned, ...preferencesByTopic.keys()])].map((userId) => ({
    ...UNCONCERNED,
    userId,
    messageId,
    isMentioned: isMentioned.has(userId),
    isAmongEveryone: mentionsChannel || contains(topicMentioned, userId),
    preferences: preferencesByTopic.get(userId) ?? null,
    groupId: groups.get(userId) ?? null,
  }));
}

/** The users whom the new text mentions and the old one did not. A mention of everyone that is added later causes no notification. */
function byEdit(
  event: LoggedEvent,
  messageId: number,
  directory: Directory,
  candidates: ReadonlySet<number>,
  since: number,
): readonly Concerned[] {
  const { userId: editor, at, content, channel, readers } = messageUpdateBody(event);
  if (content === null || channel === null || at < since) return [];
  const [before, after] = [mentionsIn(content.before.html), mentionsIn(content.after.html)];
  const isMuted = (userId: number) => editor !== null && directory.part(mutesPart).has(userId, editor);
  const now = mentionedNow(readers, FlagBit.mentioned).filter((userId) => candidates.has(userId));
  const [groupsBefore, groups] = [mentioningGroups(directory, before, now), mentioningGroups(directory, after, now)];
  const wasNamed = (userId: number) => before.userIds.has(userId) || groupsBefore.has(userId);
  return now
    .filter((userId) => userId !== editor && !wasNamed(userId) && !isMuted(userId))
    .map((userId) => ({
      ...UNCONCERNED,
      userId,
      messageId,
      isMentioned: true,
      groupId: groups.get(userId) ?? null,
    }));
}

const NO_GROUPS: ReadonlyMap<number, number> = new Map();

const UNCONCERNED = {
  isDirect: false,
  isMentioned: false,
  isAmongEveryone: false,
  preferences: null,
  groupId: null,
} as const;
