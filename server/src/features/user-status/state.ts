import { statePart } from '../initial-state.ts';
import { presentStatus } from './present.ts';
import { allStatuses, isAway, type StatusRow, selectStatuses } from './queries.ts';

export const userStatusState = statePart<readonly StatusRow[] | null>({
  types: ['user_status'],
  select: ({ directory }) => selectStatuses(directory.organization.id),
  build({ directory, settings }, rows) {
    const olderNames = settings.readsOlderNames ?? false;
    const entries = [...allStatuses(directory, rows)].map(([userId, status]) => {
      const user = directory.user(userId);
      return [
        String(userId),
        presentStatus(status, { isAway: user !== undefined && isAway(user), olderNames }),
      ] as const;
    });
    return { user_status: Object.fromEntries(entries) };
  },
  spectators: { build: () => ({ user_status: {} }) },
});
