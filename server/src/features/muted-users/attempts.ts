import * as endpoints from '@heddle/api/endpoints/muted-users.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = ({ owner }) => [
  attemptsOn(endpoints.muteUser, { refused: [{ muted_user_id: owner.userId }] }),
  attemptsOn(endpoints.unmuteUser, { refused: [{ muted_user_id: owner.userId }] }),
];
