/** Checks the parameters of `PATCH /settings` beyond their types (public reference: "Update settings"). */
import type { Parameters } from '@heddle/api/contract.ts';
import type { updateSettings, updateSettingsDefaults } from '@heddle/api/endpoints/user-settings.ts';
import { badRequest, invalidValue } from '@heddle/api/errors.ts';
import { isLanguage } from '../../texts/shared/languages.ts';
import { CHOICES, type Settings } from '../../users/user-settings/first-settings.ts';
import type { PasswordChange } from '../account-security/passwords.ts';

type OwnParameters = Omit<Parameters<typeof updateSettings>, 'full_name' | 'email' | 'old_password' | 'new_password'>;

/** Settings to change, with their new values. */
export type RequestedSettings = Partial<Settings>;

/** What a request asks for. */
export interface RequestedChanges {
  readonly settings: RequestedSettings;
  readonly timezone: string | undefined;
}

/** The requested changes of the account itself. */
export interface RequestedAccountChanges {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly password?: PasswordChange;
}

const WEEK_SECONDS = 7 * 86_400;

/** @throws ApiError `BAD_REQUEST`: the setting does not accept the value */
export function checkedOwnSettings({ timezone, ...given }: OwnParameters): RequestedChanges {
  return {
    settings: checkedSettings(given),
    timezone: timezone === undefined ? undefined : canonicalTimezone(timezone),
  };
}

/**
 * The given settings, checked.
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedSettings(
  given: Parameters<typeof updateSettingsDefaults> | RequestedSettings,
): RequestedSettings {
  const { web_home_view: view } = given;
  // Clients since feature level 454 send `recent`.
  const named = view === 'recent' ? { ...given, web_home_view: 'recent_topics' } : given;
  // The contract gives each parameter the type of its setting.
  const requested = Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  ) as RequestedSettings;
  const {
    default_language: language,
    notification_sound: sound,
    email_notifications_batching_period_seconds: seconds,
  } = requested;
  if (language !== undefined && !isLanguage(language)) throw badRequest('Invalid default_language');
  if (sound !== undefined && sound !== 'none' && !CHOICES.available_notification_sounds.includes(sound)) {
    throw badRequest(`Invalid notification sound '${sound}'`);
  }
  if (seconds !== undefined && (seconds <= 0 || seconds > WEEK_SECONDS)) {
    throw badRequest(`Invalid email batching period: ${seconds} seconds`);
  }
  return requested;
}

/** The areas of the time zone database. Names outside of them are older names and links. */
const AREAS = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\//;

/**
 * The name of the time zone as it is stored. Older names such as `US/Pacific` become the current one. Names of cities
 * stay, because lists differ about which of two names is current (`Asia/Kolkata`).
 * @throws ApiError `BAD_REQUEST`: there is no such time zone
 */
function canonicalTimezone(name: string): string {
  const known = /^[A-Za-z]/.test(name) ? resolvedTimezone(name) : undefined;
  if (known === undefined) throw invalidValue('timezone', 'Not a recognized time zone');
  return AREAS.test(name) && known.toLowerCase() !== name.toLowerCase() ? name : known;
}

/** Whether there is this time zone. Resolving one takes about 0.1 ms. */
export function isTimezone(name: unknown): boolean {
  if (typeof name !== 'string') return false;
  if (timezones.has(name)) return true;
  const isKnown = /^[A-Za-z]/.test(name) && resolvedTimezone(name) !== undefined;
  if (isKnown) timezones.add(name);
  return isKnown;
}

/** Those that exist, so there are few. */
const timezones = new Set<string>();

function resolvedTimezone(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
