import type { InitialState, Role } from '../../calls/types.ts';

/** The roles by name. A smaller number is a more powerful role. */
export const ROLES = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

/** The system groups, which every organization has. Their members follow from roles. */
export const SYSTEM_GROUPS = {
  nobody: 'role:nobody',
  owners: 'role:owners',
  administrators: 'role:administrators',
  moderators: 'role:moderators',
  fullMembers: 'role:fullmembers',
  members: 'role:members',
  everyone: 'role:everyone',
  internet: 'role:internet',
} as const;

/** The role of the user who registered. */
export function roleOf(state: Pick<InitialState, 'is_owner' | 'is_admin' | 'is_moderator' | 'is_guest'>): Role {
  if (state.is_owner) return ROLES.owner;
  if (state.is_admin) return ROLES.administrator;
  if (state.is_moderator) return ROLES.moderator;
  return state.is_guest ? ROLES.guest : ROLES.member;
}
