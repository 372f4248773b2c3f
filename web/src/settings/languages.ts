/** The languages that an account or an organization can choose. */
import { LANGUAGES } from '@heddle/api/languages.ts';
import { t } from '../base/i18n.ts';
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
  return t(
    'For mails and for pages before the login. The app has English and German, and shows English for other languages.',
  );
}
