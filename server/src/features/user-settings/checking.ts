/** What the parameters of `PATCH /settings` may be beyond their types (public reference: "Update settings"). */
import type { Parameters } from '@heddle/api/contract.ts';
import type { updateSettings, updateSettingsDefaults } from '@heddle/api/endpoints/user-settings.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { isLanguage } from '../languages.ts';
import { CHOICES, type Settings } from './first-settings.ts';

type OwnParameters = Parameters<typeof updateSettings>;

/** Settings to change, with their new values. */
export type Wishes = Partial<Settings>;

/** What a request about one's own settings asks for. */
export interface OwnWishes {
  readonly settings: Wishes;
  readonly timezone: string | undefined;
}

const WEEK = 7 * 86_400;

/**
 * @throws ApiError `BAD_REQUEST`: a value that the setting does not take, or something that cannot be changed yet
 */
export function checkedOwnSettings({
  full_name,
  email,
  old_password,
  new_password,
  timezone,
  ...given
}: OwnParameters): OwnWishes {
  for (const [name, value] of Object.entries({ full_name, email, old_password, new_password })) {
    if (value !== undefined) throw missingFeature(name);
  }
  return {
    settings: checkedSettings(given),
    timezone: timezone === undefined ? undefined : canonicalTimezone(timezone),
  };
}

/**
 * The settings that are given, checked.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedSettings(given: Parameters<typeof updateSettingsDefaults> | Wishes): Wishes {
  // Each parameter is defined as what its setting takes.
  const wishes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Wishes;
  const {
    default_language: language,
    notification_sound: sound,
    email_notifications_batching_period_seconds: seconds,
  } = wishes;
  if (language !== undefined && !isLanguage(language)) throw badRequest('Invalid default_language');
  if (sound !== undefined && sound !== 'none' && !CHOICES.available_notification_sounds.includes(sound)) {
    throw badRequest(`Invalid notification sound '${sound}'`);
  }
  if (seconds !== undefined && (seconds <= 0 || seconds > WEEK)) {
    throw badRequest(`Invalid email batching period: ${seconds} seconds`);
  }
  return wishes;
}

function missingFeature(name: string) {
  return badRequest(`'${name}' cannot be changed: this server does not have that feature yet.`);
}

/** Those of the time zone database. Names outside are older ones, and links to these. */
const AREAS = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\//;

/**
 * The time zone's name as it is kept: older names (`US/Pacific`) become the present one, those of cities stay as they are, since what one
 * list calls the present name is another's older one (`Asia/Kolkata`).
 * @throws ApiError `BAD_REQUEST`: there is no such time zone
 */
function canonicalTimezone(name: string): string {
  const known = /^[A-Za-z]/.test(name) ? resolvedTimezone(name) : undefined;
  if (known === undefined) throw badRequest('timezone: Not a recognized time zone');
  return AREAS.test(name) && known.toLowerCase() !== name.toLowerCase() ? name : known;
}

function resolvedTimezone(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
