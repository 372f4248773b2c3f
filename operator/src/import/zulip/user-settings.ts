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

export class UserSettings {
  static readonly names: ReadonlySet<string> = new Set(Object.keys(FIRST_SETTINGS));
  readonly #report: ImportReport;

  constructor(report: ImportReport) {
    this.#report = report;
  }

  /** The valid settings of a row that differ from the first ones. */
  valid(row: Json): object {
    const settings: Record<string, unknown> = {};
    for (const name of UserSettings.names) {
      const given = row[name];
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
