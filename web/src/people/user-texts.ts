import type { Model } from '@heddle/client/model/model.ts';
import { ROLES } from '@heddle/client/model/people/roles.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import { t } from '../base/i18n.ts';
import { formatLocale, formatRelative } from '../base/i18n-formats.ts';

/** What a user is in the organization: `Owner`, `Member`, `Bot`. */
export function roleName({ role, isBot, isSystemBot }: UserRecord): string {
  if (isSystemBot) return t('System bot');
  if (isBot) return t('Bot');
  switch (role) {
    case ROLES.owner:
      return t('Owner');
    case ROLES.administrator:
      return t('Administrator');
    case ROLES.moderator:
      return t('Moderator');
    case ROLES.guest:
      return t('Guest');
    default:
      return t('Member');
  }
}

/** `Active now`, `Idle`, or when the user was last there. Undefined for bots, which have no presence. */
export function presenceText(model: Model, user: UserRecord, now: number): string | undefined {
  if (user.isBot || !user.isActive) return undefined;
  const status = model.presence.statusOf(user.id, now / 1000);
  if (status === 'active') return t('Active now');
  if (status === 'idle') return t('Idle');
  const activeAt = model.presence.lastActiveAt(user.id);
  if (activeAt === undefined || activeAt === 0) return t('Not active lately');
  return t('Last active {when}', { when: formatRelative(new Date(activeAt * 1000), new Date(now)) });
}

/** The time where the user is, for example `14:05`. Undefined if the zone is unknown or the browser does not know it. */
export function localTime({ timezone }: UserRecord, now: number, hour12: boolean): string | undefined {
  if (timezone === '') return undefined;
  try {
    const form = { hour: 'numeric', minute: '2-digit', hour12, timeZone: timezone } as const;
    return new Intl.DateTimeFormat(formatLocale(), form).format(now);
  } catch {
    return undefined;
  }
}

/** The user's address for people, if this account may see it. */
export function addressOf(user: UserRecord): string | undefined {
  return user.deliveryEmail ?? undefined;
}

/** Markdown that mentions the user. The id makes it unique. */
export function mentionOf({ id, name }: UserRecord, isSilent = false): string {
  return `@${isSilent ? '_' : ''}**${name}|${id}**`;
}

/** `Weaver (she/her)` without the pronouns. */
export function pronounsOf(model: Model, userId: number): string | undefined {
  const PRONOUNS = 8;
  const value = model.profileFields.valuesOf(userId).find(({ field }) => field.type === PRONOUNS)?.value;
  return value === undefined || value === '' ? undefined : value;
}

/** Whether the user is a person with the role of guests. */
export function isGuest({ role, isBot }: UserRecord): boolean {
  return role === ROLES.guest && !isBot;
}
