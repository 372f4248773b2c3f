/** What the parameters of `PATCH /settings` may be beyond their types (public reference: "Update settings"). */
import type { Parameters } from '@heddle/api/contract.ts';
import type { updateSettings, updateSettingsDefaults } from '@heddle/api/endpoints/user-settings.ts';
import { badRequest, invalidValue } from '@heddle/api/errors.ts';
import type { PasswordChange } from '../account/actions.ts';
import { isLanguage } from '../languages.ts';
import { CHOICES, type Settings } from './first-settings.ts';

type OwnParameters = Omit<Parameters<typeof updateSettings>, 'full_name' | 'email' | 'old_password' | 'new_password'>;

/** Settings to change, with their new values. */
export type Wishes = Partial<Settings>;

/** What a request about one's own settings asks for. */
export interface OwnWishes {
  readonly settings: Wishes;
  readonly timezone: string | undefined;
}

/** What it asks of the account itself. */
export interface AccountWishes {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly password?: PasswordChange;
}

const WEEK = 7 * 86_400;

/**
 * @throws ApiError `BAD_REQUEST`: a value that the setting does not take
 */
export function checkedOwnSettings({ timezone, ...given }: OwnParameters): OwnWishes {
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

/** Those of the time zone database. Names outside are older ones, and links to these. */
const AREAS = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\//;

/**
 * The time zone's name as it is kept: older names (`US/Pacific`) become the present one, those of cities stay as they are, since what one
 * list calls the present name is another's older one (`Asia/Kolkata`).
 * @throws ApiError `BAD_REQUEST`: there is no such time zone
 */
function canonicalTimezone(name: string): string {
  const known = /^[A-Za-z]/.test(name) ? resolvedTimezone(name) : undefined;
  if (known === undefined) throw invalidValue('timezone', 'Not a recognized time zone');
  return AREAS.test(name) && known.toLowerCase() !== name.toLowerCase() ? name : known;
}

function resolvedTimezone(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
