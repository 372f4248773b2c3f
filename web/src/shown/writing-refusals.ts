import { isSamePlace, type Place } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { type PermissionResult, type Refusal, refused } from '@heddle/client/model/permissions/permission-result.ts';
import { t } from '../base/i18n.ts';

/** Whether the user may write there. The topic is not considered. */
export function permissionToWrite(
  { channels, directConversations, permissions }: Model,
  place: Place,
): PermissionResult {
  if (place.kind === 'direct') {
    const isNew = !directConversations.list().some((one) => isSamePlace(one.place, place));
    return permissions.messages.writeDirectly(place.userIds, isNew);
  }
  const channel = channels.get(place.channelId);
  return channel === undefined ? refused('hidden') : permissions.channels.post(channel);
}

/** Why the user cannot write in a channel, and what to do. */
export function reasonAgainstPosting({ reason }: Refusal): string {
  switch (reason) {
    case 'archived':
      return t('This channel is archived. Nobody can write in it.');
    case 'not subscribed':
      return t('Only subscribers can write in this channel.');
    case 'spectator':
      return t('Log in to write messages.');
    case 'waiting period':
      return t('Only full members can write in this channel. You become one after a waiting period.');
    default:
      return t('You are not allowed to write in this channel.');
  }
}

/** Why the user cannot write to these people. */
export function reasonAgainstWritingDirectly({ reason }: Refusal): string {
  switch (reason) {
    case 'deactivated':
      return t('You cannot write to a deactivated user.');
    case 'hidden':
      return t('You cannot write to a person whom you cannot see.');
    case 'spectator':
      return t('Log in to write messages.');
    default:
      return t('Your organization does not allow you to write direct messages to these people.');
  }
}
