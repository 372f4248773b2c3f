import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realmState } from '@heddle/api/state/realm.ts';
import { Directory } from '../directory/directory.ts';
import { SystemGroup } from '../directory/records.ts';
import {
  ORGANIZATION_PERMISSIONS,
  ORGANIZATION_SETTING_NAMES,
  organizationSetting,
  PLAIN_SETTINGS,
  wireNameOf,
} from './organization-settings.ts';

/** A directory of the organization with these settings stored, and system groups with the ids from 1 on. */
function directoryWith(settings: Readonly<Record<string, unknown>>): Directory {
  const directory = new Directory(
    { id: 1, subdomain: '', name: 'Test', description: '', settings, createdAt: 0, isDeactivated: false },
    0,
    0,
  );
  for (const [index, name] of Object.values(SystemGroup).entries()) {
    directory.groups.put({
      id: index + 1,
      name,
      description: '',
      isSystem: true,
      creatorId: null,
      createdAt: 0,
      isDeactivated: false,
    });
  }
  return directory;
}

test('every setting has its place in the initial state', () => {
  for (const name of ORGANIZATION_SETTING_NAMES) assert(`realm_${wireNameOf(name)}` in realmState, name);
});

test('a permission that nobody has set belongs to the system group that the reference names', () => {
  const directory = directoryWith({});
  for (const [name, permission] of Object.entries(ORGANIZATION_PERMISSIONS)) {
    if (permission.today !== undefined) continue;
    const value = organizationSetting(directory, name as keyof typeof ORGANIZATION_PERMISSIONS);
    assert.equal(value, directory.groups.idOf(permission.default), name);
  }
});

test('what is stored counts', () => {
  const group = { directMembers: [7], directSubgroups: [] };
  const directory = directoryWith({ can_add_subscribers_group: group, topics_policy: 'disable_empty_topic' });
  assert.deepEqual(organizationSetting(directory, 'can_add_subscribers_group'), group);
  assert.equal(organizationSetting(directory, 'topics_policy'), 'disable_empty_topic');
  assert.equal(organizationSetting(directory, 'default_language'), 'en');
});

test('a stored null is a value, not the lack of one', () => {
  const directory = directoryWith({ message_content_edit_limit_seconds: null });
  assert.equal(organizationSetting(directory, 'message_content_edit_limit_seconds'), null);
  assert.equal(organizationSetting(directoryWith({}), 'message_content_edit_limit_seconds'), 600);
});

test('a feature that Heddle does not have is off, whatever is stored', () => {
  const stored = { allow_message_editing: true, can_delete_any_message_group: 3, enable_read_receipts: true };
  const directory = directoryWith(stored);
  assert.equal(organizationSetting(directory, 'allow_message_editing'), false);
  assert.equal(organizationSetting(directory, 'enable_read_receipts'), false);
  const nobody = directory.groups.idOf(SystemGroup.nobody);
  assert.equal(organizationSetting(directory, 'can_delete_any_message_group'), nobody);
});

test('a default is a value that the permission takes', () => {
  for (const [name, permission] of Object.entries(ORGANIZATION_PERMISSIONS)) {
    const { default: group, onlySystemGroups, allowsEveryone } = permission;
    if (onlySystemGroups !== null) assert(onlySystemGroups.includes(group), name);
    if (group === SystemGroup.everyone) assert(allowsEveryone, name);
  }
  assert(Object.keys(PLAIN_SETTINGS).every((name) => !(name in ORGANIZATION_PERMISSIONS)));
});
