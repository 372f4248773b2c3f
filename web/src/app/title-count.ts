import type { Model } from '@heddle/client/model/model.ts';

/** The values of the setting `desktop_icon_count_display`. */
export const COUNTED = { all: 1, directMentionedFollowed: 2, directMentioned: 3, nothing: 4 } as const;

/** How many unread messages the title and the icon show. Visits each conversation with unread messages. */
export function titleCount({ unread, account, topicPolicies }: Model): number {
  const counted = account.settings.desktop_icon_count_display ?? COUNTED.all;
  if (counted === COUNTED.all) return unread.count;
  if (counted === COUNTED.nothing) return 0;
  let count = unread.directCount;
  for (const { place, ids, mentions } of unread.groups()) {
    if (place.kind === 'direct') continue;
    const isFollowed =
      counted === COUNTED.directMentionedFollowed && topicPolicies.isFollowed(place.channelId, place.topic);
    count += isFollowed ? ids.size : mentions.size;
  }
  return count;
}
