import * as endpoints from '@heddle/api/endpoints/muted-users.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

export const mutedUserAttempts: Attempts = ({ owner }) => [
  attemptsOn(endpoints.muteUser, { refused: [{ muted_user_id: owner.userId }] }),
  attemptsOn(endpoints.unmuteUser, { refused: [{ muted_user_id: owner.userId }] }),
];
