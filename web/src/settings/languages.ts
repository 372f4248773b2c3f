/** The languages that an account or an organization can choose. */
import { LANGUAGES } from '@heddle/api/languages.ts';
import { WEB_APP_LOCALES } from '@heddle/api/web-app.ts';
import { t } from '../base/i18n.ts';
import { formatList, formatLocale } from '../base/i18n-formats.ts';
import type { Option } from '../design/list-box.tsx';

/** Each language has its own name. */
export function languageOptions(): readonly Option<string>[] {
  return LANGUAGES.map(({ tag, name, awaitsReview }) => ({
    key: tag,
    label: awaitsReview ? t('{language} (awaiting review)', { language: name }) : name,
  }));
}

/** What the choice of a language means if the app does not have it. */
export function languageHint(): string {
  const names = new Intl.DisplayNames(formatLocale(), { type: 'language' });
  const languages = formatList(WEB_APP_LOCALES.map((tag) => names.of(tag) ?? tag));
  return t(
    'For mails and for pages before the login. The app has {languages}, and shows English for other languages.',
    { languages },
  );
}
