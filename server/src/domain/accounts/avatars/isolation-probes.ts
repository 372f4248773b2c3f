import * as endpoints from '@heddle/api/endpoints/avatars.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

/** The tests of this folder try uploaded pictures of another organization, since these probes send no files. */
export const isolationProbes: IsolationProbes = ({ owner, member }) => {
  // A request redirects to a picture whether the user exists or not.
  const people = [owner, member].flatMap(({ userId, email }) => [{ user: `${userId}` }, { user: email }]);
  const file = `${owner.userId}-${'0'.repeat(32)}.png`;
  return [
    probesOf(endpoints.uploadAvatar, { refused: [{}] }),
    probesOf(endpoints.deleteAvatar, { contained: [{}] }),
    probesOf(endpoints.getAvatar, { contained: people }),
    probesOf(endpoints.getMediumAvatar, { contained: people }),
    probesOf(endpoints.getAvatarByApi, { contained: people }),
    probesOf(endpoints.getMediumAvatarByApi, { contained: people }),
    probesOf(endpoints.getAvatarPicture, { refused: [{ organization_id: 2, file }] }),
    probesOf(endpoints.getPatternPicture, { contained: [{ file: '7.png' }] }),
  ];
};
