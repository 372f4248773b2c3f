import type { GroupSettingValue } from '../../calls/types.ts';

/** A value that names users and groups, instead of one group. */
type NamingUsers = Exclude<GroupSettingValue, number>;

/** Whether a setting of any type is a value that names users. */
export function isNamingUsers(value: unknown): value is NamingUsers {
  return typeof value === 'object' && value !== null && 'direct_members' in value;
}

/** The value without this user. The same object if the value does not name them. */
export function withoutUser(value: GroupSettingValue, userId: number): GroupSettingValue {
  if (typeof value === 'number' || !value.direct_members.includes(userId)) return value;
  return { ...value, direct_members: value.direct_members.filter((id) => id !== userId) };
}

/** The users that the value names directly. */
export function namedUsers(value: GroupSettingValue): readonly number[] {
  return typeof value === 'number' ? [] : value.direct_members;
}

/** The permissions without this user. The same object if none names them. */
export function permissionsWithoutUser<Permissions extends Readonly<Record<string, GroupSettingValue>>>(
  permissions: Permissions,
  userId: number,
): Permissions {
  const changed = Object.entries(permissions).flatMap(([name, value]) => {
    const without = withoutUser(value, userId);
    return without === value ? [] : [[name, without] as const];
  });
  return changed.length === 0 ? permissions : { ...permissions, ...Object.fromEntries(changed) };
}
