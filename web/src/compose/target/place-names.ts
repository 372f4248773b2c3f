import type { Place } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatList } from '../../base/i18n-formats.ts';
import { useChanges } from '../../base/use-changes.ts';

/** The conversation as a text: `#design > icons`, or `Ada and Bo`. */
export function nameOfPlace(place: Place, { channels, users, organization }: Model): string {
  if (place.kind === 'topic') {
    const channel = channels.get(place.channelId)?.name ?? t('Unknown channel');
    const topic = place.topic === '' ? organization.settings.empty_topic_display_name : place.topic;
    return `#${channel} > ${topic}`;
  }
  if (place.userIds.length === 0) return t('yourself');
  return formatList(place.userIds.map((id) => users.get(id)?.name ?? t('Unknown user')));
}

/** The hint in the empty box. */
export function usePlaceholder(place: Place | undefined): string {
  const model = useModel();
  useChanges(model.channels.changes);
  if (place === undefined) return t('Write a message');
  return t('Message {place}', { place: nameOfPlace(place, model) });
}
