/** Access rows for other users' accounts and profiles. */
import * as managing from '@heddle/api/endpoints/managing-users.ts';
import * as profiles from '@heddle/api/endpoints/profile-fields.ts';
import { Role } from '../../directory/records.ts';
import type { Json } from '../clients/json.ts';
import { type AccessRow, row } from './access-row.ts';
import type { Scene } from './access-scene.ts';

export const OF_PEOPLE: readonly AccessRow[] = [
  row(managing.updateUser, 'a name', '++pppp uuxu', (scene) => ({
    ...{ user_id: scene.colleague.userId, full_name: scene.name() },
  })),
  row(managing.updateUser, 'their own role', '++pppp uuxu', ({ self, owner }) => ({
    ...{ user_id: self.userId, role: self === owner ? Role.owner : Role.administrator },
  })),
  row(managing.updateUser, 'to be an owner', '+ppppp uuxu', async (scene) => ({
    ...{ user_id: (await scene.person()).userId, role: Role.owner },
  })),
  row(managing.updateUser, 'an address', 'bbpppp uuxu', async (scene) => ({
    ...{ user_id: (await scene.person()).userId, new_email: 'new@example.com' },
  })),
  row(managing.updateUserByEmail, 'a name', '++pppp uuxu', (scene) => ({
    ...{ email: scene.colleague.email, full_name: scene.name() },
  })),
  row(managing.createUser, 'without the power to', 'bbpppp uuxu', () => ({
    ...{ email: 'made@example.com', full_name: 'Made', password: 'correct horse battery' },
  })),
  row(managing.deactivateUser, "a member's", '++bbbb uuxu', async (scene) => ({
    user_id: (await scene.person()).userId,
  })),
  row(managing.deactivateUser, "an owner's", '+pbbbb uuxu', async (scene) => ({
    user_id: (await scene.person(Role.owner)).userId,
  })),
  row(managing.reactivateUser, 'one that is open', '++bbbb uuxu', ({ colleague }) => ({ user_id: colleague.userId })),
  row(profiles.getProfileFields, 'always', '++++++ uuxu'),
  row(profiles.createProfileField, 'always', '++pppp uuxu', (scene) => ({ name: scene.name(), field_type: 1 })),
  row(profiles.updateProfileField, 'always', '++pppp uuxu', async (scene) => ({
    ...{ field_id: await scene.profileField(), hint: 'new' },
  })),
  row(profiles.updateProfileData, 'a field of everybody’s', '+++++b uuxu', async (scene) => ({
    data: [{ id: await scene.profileField(), value: 'x' }],
  })),
  row(profiles.updateProfileData, 'a field of administrators’', '++bbbb uuxu', async (scene) => ({
    data: [{ id: await scene.profileField({ editable_by_user: false }), value: 'x' }],
  })),
  row(profiles.deleteProfileData, 'a field of everybody’s', '+++++b uuxu', async (scene) => ({
    data: [await scene.profileField()],
  })),
  row(profiles.reorderProfileFields, 'not all of them', 'bbpppp uuxu', () => ({ order: [1_000_000] })),
  row(profiles.deleteProfileField, 'always', '++pppp uuxu', async (scene: Scene) => ({
    field_id: await scene.profileField(),
  })),
];

/** These rows are last, because they deactivate their callers. */
export const OF_LEAVING: readonly AccessRow[] = [
  row(managing.deactivateOwnUser, 'where there is one owner', 'l++++b uuxu', async ({ owner }) => {
    const { members } = await owner.ok('GET', '/users');
    const others = members.filter((user: Json) => user.is_owner && user.user_id !== owner.userId);
    for (const { user_id } of others) await owner.call('DELETE', `/users/${user_id}`);
    return {};
  }),
];
