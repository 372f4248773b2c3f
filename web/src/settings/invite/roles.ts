import type { InvitedRole } from '@heddle/client/calls/types.ts';
import { ROLES } from '@heddle/client/model/people/roles.ts';
import { type Message, msg } from '../../base/i18n.ts';

/** The names of roles, from the most powerful one. */
export const ROLE_NAMES: readonly (readonly [InvitedRole, Message])[] = [
  [ROLES.owner, msg('Owner')],
  [ROLES.administrator, msg('Administrator')],
  [ROLES.moderator, msg('Moderator')],
  [ROLES.member, msg('Member')],
  [ROLES.guest, msg('Guest')],
];

/** How long an invitation is valid, in minutes. */
export const EXPIRIES: readonly (readonly [minutes: number | null, label: Message])[] = [
  [1440, msg('1 day')],
  [4320, msg('3 days')],
  [14_400, msg('10 days')],
  [43_200, msg('30 days')],
  [null, msg('Never')],
];

/** The choice at the beginning: 10 days. */
export const USUAL_EXPIRY_MINUTES = 14_400;
