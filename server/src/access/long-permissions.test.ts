import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Role } from '../directory/records.ts';
import { putChannel, putGroup, putUser, smallDirectory } from '../testing/database/small-directory.ts';
import { checkListed, listedIn } from './long-permissions.ts';

const long = (count: number) => ({
  directMembers: Array.from({ length: count }, (_, index) => index + 1),
  directSubgroups: [],
});

test('only lists of more than ten users and groups count', () => {
  assert.equal(listedIn([undefined, 5, long(10), { ...long(9), directSubgroups: [1, 2] }, long(11)]), 22);
});

test('the permissions of all channels and groups list at most 500,000 users and groups, those of an account a fifth', () => {
  const directory = smallDirectory();
  const [administrator, member] = [putUser(directory, 1, Role.administrator).id, putUser(directory, 2, Role.member).id];
  const bot = putUser(directory, 3, Role.member, { isBot: true, botOwnerId: member }).id;
  putGroup(directory, 100, { creatorId: member, permissions: { can_mention_group: long(50_000) } });
  putChannel(directory, 100, { creatorId: bot }, { can_subscribe: long(49_000), can_add_subscribers: long(10) });
  const ofOne = /\(limit of one user: 100000\)/;
  for (const creator of [member, bot]) {
    checkListed(directory, creator, 1000);
    assert.throws(() => checkListed(directory, creator, 1001), ofOne);
    checkListed(directory, creator, 0);
  }
  putGroup(directory, 101, { creatorId: administrator, permissions: { can_mention_group: long(300_000) } });
  const ofAll = /\(limit of the organization: 500000\)/;
  for (const creator of [administrator, null]) {
    checkListed(directory, creator, 101_000);
    assert.throws(() => checkListed(directory, creator, 101_001), ofAll);
  }
});
