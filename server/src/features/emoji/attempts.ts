import { type Attempts, attemptsOn } from '../attempts.ts';
import { getEmojiData } from './routes.ts';

export const emojiAttempts: Attempts = () => [attemptsOn(getEmojiData, { contained: [{}] })];
