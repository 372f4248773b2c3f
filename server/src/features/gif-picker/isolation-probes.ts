import * as endpoints from '@heddle/api/endpoints/gif-picker.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, secret }) => {
  await owner.ok('PATCH', '/realm/gif_picker', { service: 'giphy', api_key: secret('key of the service') });
  return [
    // The attacker changes and asks only what belongs to its own organization, which has no service.
    probesOf(endpoints.updateGifPicker, { contained: [{ service: 'none' }], harmless: ['api_key', 'rating'] }),
    probesOf(endpoints.searchGifs, { refused: [{ query: 'cats' }], harmless: ['position'] }),
    // The tests of the feature show that a GIF that was signed for another organization is refused.
    probesOf(endpoints.chooseGif, { refused: [{ gif: 'W10.bm90IHNpZ25lZA' }] }),
  ];
};
