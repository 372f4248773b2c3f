import * as endpoints from '@heddle/api/endpoints/avatars.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

/** Uploaded pictures of another organization are tried in their own tests, since these here send no files. */
export const avatarAttempts: Attempts = ({ owner, member }) => {
  // Whoever names somebody is led to a picture, whether or not there is such a person.
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
