import * as endpoints from '@heddle/api/endpoints/custom-emoji.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';
import { getEmojiData, getExtraEmojiPicture } from './routes.ts';

/** The tests of custom emoji cover other organizations, because these probes cannot upload files. */
export const isolationProbes: IsolationProbes = () => [
  probesOf(getEmojiData, { contained: [{}] }),
  probesOf(getExtraEmojiPicture, { contained: [{}] }),
  probesOf(endpoints.getCustomEmoji, { contained: [{}] }),
  probesOf(endpoints.uploadCustomEmoji, { refused: [{ emoji_name: 'loom' }] }),
  probesOf(endpoints.deactivateCustomEmoji, { refused: [{ emoji_name: 'loom' }] }),
  probesOf(endpoints.getEmojiPicture, { refused: [{ organization_id: 2, file: `${'0'.repeat(32)}.png` }] }),
  probesOf(endpoints.getStillEmojiPicture, { refused: [{ organization_id: 2, file: `${'0'.repeat(32)}.png` }] }),
];
