import type { GroupSettingValue } from '@heddle/client/calls/types.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { PermissionResult } from '@heddle/client/model/permissions/permission-result.ts';
import { t } from '../base/i18n.ts';
import { formatList } from '../base/i18n-formats.ts';
import { groupName } from '../shown/group-name.ts';
import { userName } from '../shown/names.ts';

/** Names of a value that are listed. More are counted. */
const MAX_NAMES = 4;

/** Why the user may not do something. Undefined if they may. */
export function refusalText(model: Model, result: PermissionResult): string | undefined {
  if (result.allowed) return undefined;
  switch (result.reason) {
    case 'owner':
      return t('Only owners can change this.');
    case 'administrator':
      return t('Only administrators can change this.');
    case 'permission':
      return result.allowedTo === undefined
        ? t('You do not have the permission.')
        : t('Allowed to: {names}.', { names: valueText(model, result.allowedTo) });
    case 'waiting period':
      return t('Only full members can do this. You become one after a waiting period.');
    case 'archived':
      return t('The channel is archived.');
    case 'not subscribed':
      return t('Only subscribers can do this.');
    case 'guest':
      return t('Guests cannot do this.');
    case 'spectator':
      return t('Log in to do this.');
    case 'bot':
      return t('Bots cannot do this.');
    case 'deactivated':
      return t('It is deactivated.');
    case 'system group':
      return t('This group follows from roles. Nobody can change it.');
    case 'disabled':
      return t('Your organization turned this off.');
    default:
      return t('You do not have the permission.');
  }
}

/** Whom a permission names: `Administrators`, or `design team and Ada`. */
export function valueText(model: Model, value: GroupSettingValue): string {
  const { groups, people } = partsOf(value);
  const names = [...groups.map((id) => nameOfGroup(model, id)), ...people.map((id) => userName(model, id))];
  if (names.length === 0) return t('Nobody');
  if (names.length <= MAX_NAMES) return formatList(names);
  return formatList([...names.slice(0, MAX_NAMES), t('{count} more', { count: names.length - MAX_NAMES })]);
}

/** People that a sentence names. Above that, it names their groups and roles. */
const MAX_PEOPLE_NAMED = 3;

/** Who alone can change something, by name if they are few: `Only Olga can change this.` */
export function onlyText(model: Model, values: readonly GroupSettingValue[]): string {
  const { groups, users } = model;
  const parts = values.map(partsOf);
  const isPerson = (id: number) => {
    const user = users.get(id);
    return user?.isActive && !user.isBot;
  };
  const people = new Set(parts.flatMap((part) => part.people).filter(isPerson));
  const groupIds = new Set<number>();
  const everybody = new Set(people);
  for (const id of parts.flatMap((part) => part.groups)) {
    const members = [...groups.membersOf(id)].filter(isPerson);
    if (members.length > 0) groupIds.add(id);
    for (const member of members) everybody.add(member);
  }
  if (everybody.size === 0) return t('Nobody can change this.');
  const isShort = everybody.size <= MAX_PEOPLE_NAMED;
  const names = isShort
    ? formatList(Array.from(everybody, (id) => userName(model, id)))
    : valueText(model, { direct_subgroups: [...groupIds], direct_members: [...people] });
  return t('{count, plural, one {Only {names} can change this.} other {Only {names} can change this.}}', {
    // Roles and groups are many people.
    count: everybody.size,
    names,
  });
}

/** The system group of a role, as a value of a permission. */
export function roleValue({ groups }: Model, name: string): GroupSettingValue {
  return groups.byName(name)?.id ?? { direct_subgroups: [], direct_members: [] };
}

export function nameOfGroup(model: Model, groupId: number): string {
  const group = model.groups.get(groupId);
  return group === undefined ? t('Unknown group') : groupName(group);
}

/** The groups and people of a value in one form. */
export function partsOf(value: GroupSettingValue): { groups: readonly number[]; people: readonly number[] } {
  if (typeof value === 'number') return { groups: [value], people: [] };
  return { groups: value.direct_subgroups, people: value.direct_members };
}
