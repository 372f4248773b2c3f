import { SYSTEM_GROUPS } from '@heddle/server/domain/joining/founding/system-groups.ts';
import { SYSTEM_BOTS } from '@heddle/server/domain/users/users/system-bots.ts';

/** The rows that each organization has from the beginning, by table. They are not what the team has moved. */
const BUILT_IN: Readonly<Record<string, number>> = {
  users: Object.keys(SYSTEM_BOTS).length,
  user_groups: SYSTEM_GROUPS.length,
};

/** What an import has moved, by table. */
export function movedRows(rows: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(rows)
      .map(([table, count]) => [table, count - (BUILT_IN[table] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
}
