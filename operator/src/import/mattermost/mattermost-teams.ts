/** Teams of Mattermost that users cannot join by themselves. */
import type { NeutralGroup } from '../conversion/neutral.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { numberIn, objectsIn, textIn } from '../fields.ts';
import { isGuest, usernameIn } from './mattermost-people.ts';

/**
 * Groups with the members of these teams, by the names of the teams. Only members see the public channels of such a team. A team that has all
 * users hides nothing.
 */
export function closedTeamsOf(rows: RowStore): ReadonlyMap<string, NeutralGroup> {
  const members = new Map<string, Set<string>>();
  for (const team of rows.of('team')) {
    if (team.allow_open_invite === false) members.set(textIn(team, 'name') ?? '', new Set());
  }
  const everyone = new Set<string>();
  for (const user of rows.of('user')) {
    const key = usernameIn(user, 'username');
    const isActive = !(numberIn(user, 'delete_at') ?? 0);
    if (key === undefined || !isActive || isGuest(user)) continue;
    everyone.add(key);
    for (const team of objectsIn(user.teams)) members.get(textIn(team, 'name') ?? '')?.add(key);
  }
  const groups = new Map<string, NeutralGroup>();
  for (const team of rows.of('team')) {
    const key = textIn(team, 'name') ?? '';
    const found = members.get(key);
    if (found === undefined || found.size === everyone.size) continue;
    const name = textIn(team, 'display_name') || key;
    groups.set(key, { key: `team ${key}`, name, description: textIn(team, 'description') ?? '', members: [...found] });
  }
  return groups;
}
