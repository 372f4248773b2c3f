import type { GroupRecord } from '@heddle/client/model/people/groups.ts';
import { SYSTEM_GROUPS } from '@heddle/client/model/people/roles.ts';
import { type Message, msg, t } from '../base/i18n.ts';

const SYSTEM_NAMES: Readonly<Record<string, Message>> = {
  [SYSTEM_GROUPS.nobody]: msg('Nobody'),
  [SYSTEM_GROUPS.owners]: msg('Owners'),
  [SYSTEM_GROUPS.administrators]: msg('Administrators'),
  [SYSTEM_GROUPS.moderators]: msg('Moderators'),
  [SYSTEM_GROUPS.fullMembers]: msg('Full members'),
  [SYSTEM_GROUPS.members]: msg('Members'),
  [SYSTEM_GROUPS.everyone]: msg('Everyone'),
  [SYSTEM_GROUPS.internet]: msg('Everyone on the internet'),
};

/** What people call the group. System groups have translated names. */
export function groupName({ name, isSystem }: Pick<GroupRecord, 'name' | 'isSystem'>): string {
  const known = isSystem ? SYSTEM_NAMES[name] : undefined;
  return known === undefined ? name : t(known);
}
