import * as endpoints from '@heddle/api/endpoints/custom-emoji.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';
import { getEmojiData } from './routes.ts';

/** The tests of custom emoji cover other organizations, because these probes cannot upload files. */
export const attempts: Attempts = () => [
  attemptsOn(getEmojiData, { contained: [{}] }),
  attemptsOn(endpoints.getCustomEmoji, { contained: [{}] }),
  attemptsOn(endpoints.uploadCustomEmoji, { refused: [{ emoji_name: 'loom' }] }),
  attemptsOn(endpoints.deactivateCustomEmoji, { refused: [{ emoji_name: 'loom' }] }),
  attemptsOn(endpoints.getEmojiPicture, { refused: [{ organization_id: 2, file: `${'0'.repeat(32)}.png` }] }),
  attemptsOn(endpoints.getStillEmojiPicture, { refused: [{ organization_id: 2, file: `${'0'.repeat(32)}.png` }] }),
];
