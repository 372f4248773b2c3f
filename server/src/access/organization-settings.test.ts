import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapPermissions, ORGANIZATION_PERMISSIONS } from '@heddle/api/permissions.ts';
import { realmState } from '@heddle/api/state/realm.ts';
import type { Directory } from '../directory/directory.ts';
import { Role, SystemGroup } from '../directory/records.ts';
import { putUser, smallDirectory } from '../testing/database/small-directory.ts';
import {
  hasPermission,
  ORGANIZATION_SETTING_NAMES,
  organizationSetting,
  PERMISSIONS_UNTIL_IMPLEMENTED,
  PLAIN_SETTINGS,
  wireNameOf,
} from './organization-settings.ts';

test('the initial state contains every setting', () => {
  for (const name of ORGANIZATION_SETTING_NAMES) assert(`realm_${wireNameOf(name)}` in realmState, name);
});

test('an unset permission belongs to the system group that the reference names', () => {
  const directory = smallDirectory({});
  mapPermissions(ORGANIZATION_PERMISSIONS, (name, permission) => {
    if (PERMISSIONS_UNTIL_IMPLEMENTED[name] !== undefined) return;
    assert.equal(organizationSetting(directory, name), groupOf(directory, permission.default), name);
  });
});

function groupOf(directory: Directory, name: string): number | undefined {
  return [...directory.groups.all.values()].find((group) => group.name === name)?.id;
}

test('a stored value overrides the default', () => {
  const group = { directMembers: [7], directSubgroups: [] };
  const directory = smallDirectory({ can_add_subscribers_group: group, topics_policy: 'disable_empty_topic' });
  assert.deepEqual(organizationSetting(directory, 'can_add_subscribers_group'), group);
  assert.equal(organizationSetting(directory, 'topics_policy'), 'disable_empty_topic');
  assert.equal(organizationSetting(directory, 'default_language'), 'en');
});

test('a stored null is a value, and does not mean the default', () => {
  const directory = smallDirectory({ message_content_edit_limit_seconds: null });
  assert.equal(organizationSetting(directory, 'message_content_edit_limit_seconds'), null);
  assert.equal(organizationSetting(smallDirectory({}), 'message_content_edit_limit_seconds'), 600);
});

test('a feature that Heddle does not implement is off, whatever is stored', () => {
  const stored = { can_summarize_topics_group: 3, giphy_rating: 3 };
  const directory = smallDirectory(stored);
  assert.equal(organizationSetting(directory, 'giphy_rating'), 0);
  const nobody = directory.groups.idOf(SystemGroup.nobody);
  assert.equal(organizationSetting(directory, 'can_summarize_topics_group'), nobody);
});

test('no setting has the name of a permission', () => {
  assert(Object.keys(PLAIN_SETTINGS).every((name) => !(name in ORGANIZATION_PERMISSIONS)));
});

// rules: organization-settings-15
test('guests have only permissions that everyone may have, whatever groups they are in', () => {
  const guest = putUser(smallDirectory(), 7, Role.guest);
  const toGuest = { directMembers: [guest.id], directSubgroups: [] };
  const directory = smallDirectory({ can_add_subscribers_group: toGuest, can_mention_many_users_group: toGuest });
  assert(!hasPermission(directory, guest, 'can_add_subscribers_group'));
  assert(hasPermission(directory, { ...guest, role: Role.member }, 'can_add_subscribers_group'));
  assert(hasPermission(directory, guest, 'can_mention_many_users_group'));
});
