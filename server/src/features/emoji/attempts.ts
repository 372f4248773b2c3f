import * as endpoints from '@heddle/api/endpoints/custom-emoji.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';
import { getEmojiData } from './routes.ts';

/** Custom emoji of another organization are tried in their own tests, since they are uploaded and these here send no files. */
export const emojiAttempts: Attempts = () => [
  attemptsOn(getEmojiData, { contained: [{}] }),
  attemptsOn(endpoints.getCustomEmoji, { contained: [{}] }),
  attemptsOn(endpoints.uploadCustomEmoji, { refused: [{ emoji_name: 'loom' }] }),
  attemptsOn(endpoints.deactivateCustomEmoji, { refused: [{ emoji_name: 'loom' }] }),
  attemptsOn(endpoints.getEmojiPicture, { refused: [{ organization_id: 2, file: `${'0'.repeat(32)}.png` }] }),
  attemptsOn(endpoints.getStillEmojiPicture, { refused: [{ organization_id: 2, file: `${'0'.repeat(32)}.png` }] }),
];
