import * as endpoints from '@heddle/api/endpoints/image-previews.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

/** The tests of image previews show that no organization opens an address that was signed for another. */
export const isolationProbes: IsolationProbes = () => [
  probesOf(endpoints.getExternalImage, {
    refused: [{ digest: '0'.repeat(64), received_url: Buffer.from('https://example.com/a.png').toString('hex') }],
  }),
];
