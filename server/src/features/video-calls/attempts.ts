import { createBigBlueButtonCall, joinBigBlueButtonCall } from '@heddle/api/endpoints/video-calls.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = () => [
  attemptsOn(createBigBlueButtonCall, { contained: [{ meeting_name: 'x' }], harmless: ['voice_only'] }),
  attemptsOn(joinBigBlueButtonCall, { refused: [{ bigbluebutton: 'WzFd.bm90IHNpZ25lZA' }] }),
];
