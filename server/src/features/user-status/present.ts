import type { userStatus } from '@heddle/api/objects/user-status.ts';
import type { Static } from 'typebox';
import { presentEmoji } from '../../domain/messages/reactions/present.ts';
import type { Status } from './queries.ts';

export function presentStatus(
  { text, emoji }: Status,
  { isAway, olderNames }: { readonly isAway: boolean; readonly olderNames: boolean },
): Static<typeof userStatus> {
  return {
    ...(isAway && { away: true }),
    ...(text !== '' && { status_text: text }),
    ...(emoji !== null && presentEmoji(emoji, olderNames)),
  };
}
