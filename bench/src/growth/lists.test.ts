import { test } from 'node:test';
import type { ChannelGroupSettings } from '@heddle/server/directory/records.ts';
import { presentGroupSettings } from '@heddle/server/domain/channels/group-settings.ts';
import { concernsIn } from '@heddle/server/domain/notifications/notifications/concerned.ts';
import { smallDirectory } from '@heddle/server/testing/database/small-directory.ts';
import { assertLinear } from './growth.ts';

const lengths = { short: 5_000, long: 40_000 };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a message that many have already read concerns the others after linear time', () => {
  const directory = smallDirectory();
  assertLinear('readers', lengths, (length) => {
    const [ids, sentAt] = [numbers(length), Math.floor(Date.now() / 1000)];
    const participants = ids.map((id) => ({ id, email: '', fullName: '' }));
    const body = { sender: { id: 0 }, channel: null, participants, sentAt, readBy: ids.toReversed() };
    const event = { id: 1, type: 'message', messageId: 1, body } as unknown as Parameters<typeof concernsIn>[0];
    const candidates = new Set(ids);
    return () => concernsIn(event, directory, candidates, new Map(), 3600);
  });
});

test('the permissions of a channel are presented in linear time for the users in them who are deactivated', () => {
  assertLinear('deactivated users', lengths, (length) => {
    const directMembers = numbers(length);
    const value = { directMembers, directSubgroups: [] };
    const settings = new Proxy({} as ChannelGroupSettings, { get: () => value });
    const deactivated = directMembers.toReversed();
    return () => presentGroupSettings(settings, deactivated);
  });
});
