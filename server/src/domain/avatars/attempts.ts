import * as endpoints from '@heddle/api/endpoints/avatars.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

/** The tests of this folder try uploaded pictures of another organization, since these attempts send no files. */
export const attempts: Attempts = ({ owner, member }) => {
  // A request redirects to a picture whether the user exists or not.
  const people = [owner, member].flatMap(({ userId, email }) => [{ user: `${userId}` }, { user: email }]);
  const file = `${owner.userId}-${'0'.repeat(32)}.png`;
  return [
    attemptsOn(endpoints.uploadAvatar, { refused: [{}] }),
    attemptsOn(endpoints.deleteAvatar, { contained: [{}] }),
    attemptsOn(endpoints.getAvatar, { contained: people }),
    attemptsOn(endpoints.getMediumAvatar, { contained: people }),
    attemptsOn(endpoints.getAvatarByApi, { contained: people }),
    attemptsOn(endpoints.getMediumAvatarByApi, { contained: people }),
    attemptsOn(endpoints.getAvatarPicture, { refused: [{ organization_id: 2, file }] }),
    attemptsOn(endpoints.getPatternPicture, { contained: [{ file: '7.png' }] }),
  ];
};
