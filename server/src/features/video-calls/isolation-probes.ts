import { createBigBlueButtonCall, joinBigBlueButtonCall } from '@heddle/api/endpoints/video-calls.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = () => [
  probesOf(createBigBlueButtonCall, { contained: [{ meeting_name: 'x' }], harmless: ['voice_only'] }),
  probesOf(joinBigBlueButtonCall, { refused: [{ bigbluebutton: 'WzFd.bm90IHNpZ25lZA' }] }),
];
