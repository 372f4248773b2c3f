import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type ErrorCode } from '@heddle/api/errors.ts';
import { CHANNEL_PERMISSIONS, ORGANIZATION_PERMISSIONS, type Permission } from '@heddle/api/permissions.ts';
import { Role, SystemGroup } from '../directory/records.ts';
import { putGroup, putUser, smallDirectory } from '../testing/database/small-directory.ts';
import {
  changedGroupSetting,
  checkedGroupSetting,
  defaultGroupSetting,
  isGranted,
  presentGroupSetting,
  readGroupSetting,
  type WireGroupSetting,
} from './group-settings.ts';

const directory = smallDirectory();
const group = (name: SystemGroup) => directory.groups.idOf(name);
const ada = putUser(directory, 1, Role.member).id;
const bert = putUser(directory, 2, Role.member).id;
const gone = putUser(directory, 3, Role.member, { isActive: false }).id;
const weavers = putGroup(directory, 101).id;
const spinners = putGroup(directory, 102).id;
const disbanded = putGroup(directory, 103, { isDeactivated: true }).id;

const posting = { name: 'can_send_message_group', permission: CHANNEL_PERMISSIONS.can_send_message_group };
const joining = { name: 'can_subscribe_group', permission: CHANNEL_PERMISSIONS.can_subscribe_group };
const publishing = {
  name: 'can_create_web_public_channel_group',
  permission: ORGANIZATION_PERMISSIONS.can_create_web_public_channel_group,
};
const managing = { name: 'can_manage_all_groups', permission: ORGANIZATION_PERMISSIONS.can_manage_all_groups };

type Named = { readonly name: string; readonly permission: Permission };

const direct = (direct_members: number[], direct_subgroups: number[] = []) => ({ direct_members, direct_subgroups });
const checked = (named: Named, value: WireGroupSetting) =>
  checkedGroupSetting(directory, named, readGroupSetting(value));
const refuses = (act: () => unknown, message: RegExp, code: ErrorCode = 'BAD_REQUEST') =>
  assert.throws(act, (error) => error instanceof ApiError && error.code === code && message.test(error.message));

// rules: conventions-11
test('a value has only one stored form', () => {
  const { members, nobody } = SystemGroup;
  assert.equal(checked(posting, weavers), weavers);
  assert.equal(checked(posting, direct([], [weavers])), weavers);
  assert.equal(checked(posting, direct([], [group(members), group(members)])), group(members));
  assert.equal(checked(posting, direct([])), group(nobody));
  const stored = { directMembers: [ada, bert], directSubgroups: [weavers, spinners] };
  assert.deepEqual(checked(posting, direct([bert, ada, bert], [spinners, weavers])), stored);
  assert.deepEqual(presentGroupSetting(stored), direct([ada, bert], [weavers, spinners]));
});

test('a value names at most 50 groups and 1000 users, each once', () => {
  const own = smallDirectory();
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1000);
  for (const id of ids(1001)) putUser(own, id, Role.member);
  for (const id of ids(51)) putGroup(own, id);
  const check = (value: WireGroupSetting) => checkedGroupSetting(own, joining, readGroupSetting(value));
  check(direct([...ids(1000), 1000], [...ids(50), 1000]));
  refuses(() => check(direct([], ids(51))), /^Too many groups in 'can_subscribe_group' \(limit: 50\)$/);
  refuses(() => check(direct(ids(1001))), /^Too many users in 'can_subscribe_group' \(limit: 1000\)$/);
});

test('users and groups must exist and be active, in either form', () => {
  for (const user of [gone, 999]) refuses(() => checked(posting, direct([ada, user])), /Invalid user ID/);
  refuses(() => checked(posting, 999), /^Invalid user group$/);
  refuses(() => checked(posting, direct([], [999])), /^Invalid user group$/);
  refuses(() => checked(posting, direct([ada], [weavers, 999])), /^Invalid user group ID: 999$/);
  for (const value of [disbanded, direct([], [disbanded]), direct([ada], [weavers, disbanded])]) {
    refuses(() => checked(posting, value), /^User group is deactivated\.$/);
  }
});

test('no permission takes the internet group, and one that guests cannot have does not take everyone, in either form', () => {
  const { internet, everyone, members } = SystemGroup;
  for (const named of [posting, joining]) {
    refuses(() => checked(named, group(internet)), /cannot be set to 'role:internet' group/);
    refuses(() => checked(named, direct([ada], [group(internet)])), /cannot be set to 'role:internet' group/);
  }
  assert.equal(checked(posting, group(everyone)), group(everyone));
  refuses(() => checked(joining, group(everyone)), /'can_subscribe_group' setting cannot be set to 'role:everyone'/);
  refuses(() => checked(joining, direct([ada], [group(everyone)])), /cannot be set to 'role:everyone' group/);
  assert.equal(checked(joining, group(members)), group(members));
});

test('a permission that at least one user must have does not take an empty value, in either form', () => {
  for (const value of [group(SystemGroup.nobody), direct([]), direct([], [group(SystemGroup.nobody)])]) {
    refuses(() => checked(managing, value), /'can_manage_all_groups' setting cannot be set to 'role:nobody' group/);
  }
  assert.equal(checked(managing, weavers), weavers);
});

test('a permission for system groups takes only the listed ones', () => {
  const { moderators, members } = SystemGroup;
  assert.equal(checked(publishing, group(moderators)), group(moderators));
  assert.equal(checked(publishing, direct([], [group(moderators)])), group(moderators));
  refuses(() => checked(publishing, group(members)), /cannot be set to 'role:members' group/);
  for (const value of [weavers, direct([ada]), direct([ada], [group(moderators)])]) {
    refuses(() => checked(publishing, value), /must be a system user group/, 'SYSTEM_GROUP_REQUIRED');
  }
});

test('a change succeeds only if the permission still has the value that the client expects', () => {
  const current = checked(posting, direct([ada, bert]));
  const change = (update: Parameters<typeof changedGroupSetting>[3]) =>
    changedGroupSetting(directory, posting, current, update);
  assert.equal(change({ new: weavers }), weavers);
  assert.equal(change({ new: weavers, old: direct([bert, ada]) }), weavers);
  for (const old of [weavers, direct([ada]), direct([ada, bert], [weavers])]) {
    refuses(() => change({ new: weavers, old }), /'old' value does not match/, 'EXPECTATION_MISMATCH');
  }
  refuses(() => change({ new: disbanded, old: direct([ada, bert]) }), /User group is deactivated/);
});

test('the old value need not name deactivated users, which clients do not receive in it', () => {
  const current = { directMembers: [ada, gone], directSubgroups: [] };
  assert.equal(changedGroupSetting(directory, posting, current, { new: weavers, old: direct([ada]) }), weavers);
  const alone = { directMembers: [gone], directSubgroups: [] };
  assert.equal(changedGroupSetting(directory, posting, alone, { new: weavers, old: direct([]) }), weavers);
});

test('a single group equals an object that contains only that group, also in the old value', () => {
  const update = { new: direct([ada]), old: direct([], [weavers]) };
  assert.deepEqual(changedGroupSetting(directory, posting, weavers, update), checked(posting, direct([ada])));
});

test('a default for the creator is nobody if the creator is unknown', () => {
  const permission = CHANNEL_PERMISSIONS.can_administer_channel_group;
  assert.deepEqual(defaultGroupSetting(directory, permission, ada), { directMembers: [ada], directSubgroups: [] });
  assert.equal(defaultGroupSetting(directory, permission, null), group(SystemGroup.nobody));
});

test('a guest gets a granted permission only if everyone may have it', () => {
  const guest = putUser(directory, 4, Role.guest);
  const toGuest = { directMembers: [guest.id], directSubgroups: [] };
  assert(isGranted(directory, posting.permission, toGuest, guest));
  assert(!isGranted(directory, joining.permission, toGuest, guest));
  assert(isGranted(directory, joining.permission, toGuest, { ...guest, role: Role.member }));
});
