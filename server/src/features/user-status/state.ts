import { accessibleTo } from '../../access/people.ts';
import { statePart } from '../../extension/initial-state.ts';
import { presentStatus } from './present.ts';
import { allStatuses, isAway, type StatusRow, selectStatuses } from './queries.ts';

export const userStatusState = statePart<readonly StatusRow[] | null>({
  types: ['user_status'],
  select: ({ organizationId }) => selectStatuses(organizationId),
  build({ directory, user: reader, settings }, rows) {
    const known = accessibleTo(directory, reader);
    const olderNames = settings.readsOlderNames ?? false;
    const entries = [...allStatuses(directory, rows)].flatMap(([userId, status]) => {
      const user = directory.user(userId);
      if (known?.has(userId) === false) return [];
      const presented = presentStatus(status, { isAway: user !== undefined && isAway(user), olderNames });
      return [[String(userId), presented] as const];
    });
    return { user_status: Object.fromEntries(entries) };
  },
  spectators: { build: () => ({ user_status: {} }) },
});
