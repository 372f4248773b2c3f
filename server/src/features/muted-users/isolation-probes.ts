import * as endpoints from '@heddle/api/endpoints/muted-users.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = ({ owner }) => [
  probesOf(endpoints.muteUser, { refused: [{ muted_user_id: owner.userId }] }),
  probesOf(endpoints.unmuteUser, { refused: [{ muted_user_id: owner.userId }] }),
];
