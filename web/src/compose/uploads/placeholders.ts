import { t } from '../../base/i18n.ts';
import { PLACEHOLDERS } from './uploads.ts';

/** The text without files that are on their way. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll(PLACEHOLDERS, '');
}

/** The names of files that were on their way when the page ended that wrote the text. */
export function stalePlaceholdersIn(text: string): readonly string[] {
  const [before = '', after = ''] = t('Uploading {name}', { name: '\n' }).split('\n');
  return [...text.matchAll(PLACEHOLDERS)].map(([, label = '']) => {
    const name = label.replace(/(?: \(\d+\))?…$/, '');
    return name.slice(
      name.startsWith(before) ? before.length : 0,
      name.endsWith(after) ? name.length - after.length : undefined,
    );
  });
}
