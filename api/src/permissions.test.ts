import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  ORGANIZATION_PERMISSIONS,
  type Permission,
  SystemGroup,
} from './permissions.ts';

const levels: Readonly<Record<string, Readonly<Record<string, Permission>>>> = {
  organization: ORGANIZATION_PERMISSIONS,
  channel: CHANNEL_PERMISSIONS,
  group: GROUP_PERMISSIONS,
};

for (const [level, table] of Object.entries(levels)) {
  test(`the default of a permission of ${level}s is a value that it accepts`, () => {
    for (const [name, { default: group, allowsNobody, allowsEveryone, onlySystemGroups }] of Object.entries(table)) {
      if (group === 'creator') assert.notEqual(level, 'organization', name);
      if (group === SystemGroup.nobody || group === 'creator') assert(allowsNobody, name);
      if (group === SystemGroup.everyone) assert(allowsEveryone, name);
      if (onlySystemGroups !== null)
        assert(
          onlySystemGroups.some((allowed) => allowed === group),
          name,
        );
    }
  });

  test(`each permission of ${level}s can be changed by some user`, () => {
    for (const [name, { changedBy }] of Object.entries(table)) assert(changedBy.length > 0, name);
  });
}

test('only user group permissions have separate defaults for groups that the server creates', () => {
  for (const permission of Object.values(GROUP_PERMISSIONS)) {
    assert.equal(permission.defaultOfSystemGroups, SystemGroup.nobody);
  }
  for (const permission of [...Object.values(ORGANIZATION_PERMISSIONS), ...Object.values(CHANNEL_PERMISSIONS)]) {
    assert.equal(permission.defaultOfSystemGroups, null);
  }
});
