import type { GroupPermission } from '@heddle/client/model/people/groups.ts';
import { type Message, msg } from '../../base/i18n.ts';

/** The permissions of a group in the order in which they are shown. */
export const GROUP_PERMISSION_LABELS: readonly (readonly [GroupPermission, Message])[] = [
  ['can_manage_group', msg('Who can manage the group')],
  ['can_mention_group', msg('Who can mention the group')],
  ['can_add_members_group', msg('Who can add members')],
  ['can_remove_members_group', msg('Who can remove members')],
  ['can_join_group', msg('Who can join')],
  ['can_leave_group', msg('Who can leave')],
];

/** The maximum lengths, in characters. */
export const MAX_GROUP_NAME_CHARACTERS = 100;
export const MAX_GROUP_DESCRIPTION_CHARACTERS = 1024;
