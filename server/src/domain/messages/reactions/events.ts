import type { reactionEvent } from '@heddle/api/events/reaction.ts';
import type { Static } from 'typebox';
import { asInaccessible, canAccessId } from '../../../access/people.ts';
import { isChannelShown } from '../../../directory/archived.ts';
import type { Directory } from '../../../directory/directory.ts';
import { contains } from '../../../directory/lists.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { presentEmoji } from './present.ts';
import type { Reaction } from './queries.ts';

/** The body of a `reaction` event. The message's id is the event's `messageId`. */
export interface ReactionBody extends Reaction {
  readonly op: 'add' | 'remove';
  /** As of the event, so a later reader gets the same event. Processes of an earlier release write only the id. */
  readonly user: Pick<UserRecord, 'id'> & Partial<Pick<UserRecord, 'email' | 'fullName'>>;
  /** The message's channel; null for direct messages. */
  readonly channelId: number | null;
  /** Users who are not subscribed and get the event; ascending. */
  readonly others: readonly number[];
}

export const reactionPresenter: Presenter = {
  variant({ readsOlderNames }, viewer, directory, event) {
    const { user } = event.body as ReactionBody;
    return `${readsOlderNames ? 'older' : ''} ${canAccessId(directory, viewer, user.id, event.id)}`;
  },

  present(event, { readsOlderNames = false }, viewer, directory): Omit<Static<typeof reactionEvent>, 'id'> {
    const { op, emoji, user } = event.body as ReactionBody;
    return {
      type: 'reaction',
      op,
      message_id: event.messageId ?? 0,
      ...presentEmoji(emoji, readsOlderNames),
      user_id: user.id,
      user: presentPerson(directory, viewer, user, event.id),
    };
  },

  // Queues that follow all public channels get changes only of messages that their user has.
  wants({ id, body }, { userId, settings }, _, directory) {
    const { channelId, others } = body as ReactionBody;
    if (channelId === null) return true;
    if (!isChannelShown(directory, settings, channelId, id)) return false;
    if (!settings.allPublicChannels) return true;
    return directory.subscriptions.hadAt(channelId, userId, id) || contains(others, userId);
  },
};

function presentPerson(
  directory: Directory,
  viewer: UserRecord,
  { id, ...then }: ReactionBody['user'],
  eventId: number,
) {
  const known = directory.user(id);
  const person = { id, email: then.email ?? known?.email ?? '', fullName: then.fullName ?? known?.fullName ?? '' };
  const isAccessible = canAccessId(directory, viewer, id, eventId);
  const { email, fullName } = isAccessible ? person : asInaccessible(directory, person);
  return { user_id: id, email, full_name: fullName };
}
