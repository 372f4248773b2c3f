/** Settings of users. The API took their names and values from the reference server, so they are the same. */
import { FIRST_SETTINGS } from '@heddle/server/domain/users/user-settings/first-settings.ts';
import { isUserSetting } from '../checked-settings.ts';
import type { Json } from '../fields.ts';
import type { ImportReport } from '../report.ts';

const FIRST: Readonly<Record<string, unknown>> = FIRST_SETTINGS;

/** Settings that the archive has as a number or in another form. */
const IN_WORDS: Readonly<Record<string, readonly string[]>> = {
  resolved_topic_notice_auto_read_policy: ['always', 'except_followed', 'never'],
};

/** Their names before version 8. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  web_home_view: 'default_view',
  web_escape_navigates_to_home_view: 'escape_navigates_to_default_view',
};

/** What an organization chose for all its users before version 7. */
export function choiceForUsers(organization: Json): Json {
  const { email_address_visibility: visibility } = organization;
  return visibility === undefined || visibility === null ? {} : { email_address_visibility: visibility };
}

export class UserSettings {
  static readonly names: ReadonlySet<string> = new Set([...Object.keys(FIRST_SETTINGS), ...Object.values(OLD_NAMES)]);
  readonly #report: ImportReport;

  constructor(report: ImportReport) {
    this.#report = report;
  }

  /** The valid settings of a row that differ from the first ones. */
  valid(row: Json): object {
    const settings: Record<string, unknown> = {};
    for (const name of Object.keys(FIRST)) {
      const given = row[name] ?? row[OLD_NAMES[name] ?? ''];
      if (given === undefined || given === null) continue;
      const words = IN_WORDS[name];
      const value = words !== undefined && typeof given === 'number' ? words[given - 1] : given;
      if (value === FIRST[name]) continue;
      if (isUserSetting(name, value)) settings[name] = value;
      else
        this.#report.skip(
          'Settings of users that are not valid here: they have their defaults',
          `${name} = ${JSON.stringify(value)}`,
        );
    }
    return settings;
  }
}
