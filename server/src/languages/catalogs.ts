/** Reads the translations in `server/locales/<tag>/<folder>.json`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageTag } from '@heddle/api/languages.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'locales');

/** The translations of a language by their English text. English has none. */
export function readCatalog(tag: LanguageTag): Readonly<Record<string, string>> {
  if (tag === 'en') return {};
  const folder = join(FOLDER, tag);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const parts = names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>);
  return Object.assign({}, ...parts);
}
