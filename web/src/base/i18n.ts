/// <reference types="vite/types/importMeta.d.ts" />
/**
 * The texts of the app. A text is an ICU message in English. It stands in the code where it is used, and it is the key of its
 * translations in `web/locales/`. If one English text needs two translations, it begins with a context: `[verb] Open`.
 * `web/README.md` describes how to add a text.
 */
import { type WebAppLocale, webAppLocale } from '@heddle/api/web-app.ts';
import { setupI18n } from '@lingui/core';
import type { CompiledMessage } from '@lingui/message-utils/compileMessage';
import { setFormatLocale } from './i18n-formats.ts';
import { compileSimple } from './simple-message.ts';

/** The languages with complete translations. English needs none. */
export type Locale = WebAppLocale;

/** The compiled messages of a locale by English text. */
export type Catalog = Readonly<Record<string, string | CompiledMessage>>;

/** A text that `msg` marked for translation. `t` translates it later. */
export type Message = string & { readonly isMessage: true };

export type Values = Readonly<Record<string, string | number | Date | undefined>>;

/** Refuses strings that are known at run time only, because nobody can translate them. */
type Literal<Text extends string> = string extends Text ? never : Text;

export const i18n = setupI18n({ locale: 'en', messages: { en: {} } });

// The catalogs of a build are compiled. They lack what is simple.
if (import.meta.env?.PROD) i18n.setMessagesCompiler(compileSimple);

const CONTEXT = /^\[[^\]]+\] /;

/** The text in the language of the user. `values` replace the placeholders. Call it while rendering, not when a module loads. */
export function t<const Text extends string>(text: Literal<Text> | Message, values?: Values): string {
  const format = (marks?: Record<string, unknown>) => i18n._(text, marks, { message: text.replace(CONTEXT, '') });
  return values === undefined ? format() : withMarks(values, format);
}

const FIRST_MARK_CODE = 0xe000;

/** The library reads escapes such as `\x41` in what it has formatted. Thus marks of the private use area stand for strings until then. */
function withMarks(values: Values, format: (marks: Record<string, unknown>) => string): string {
  const strings: string[] = [];
  const marks = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? String.fromCharCode(FIRST_MARK_CODE + strings.push(value) - 1) : value,
  ]);
  return format(Object.fromEntries(marks)).replace(
    /[\ue000-\ue0ff]/g,
    (mark) => strings[mark.charCodeAt(0) - FIRST_MARK_CODE] ?? mark,
  );
}

/** Marks a text for translation, for example in a table that is made before the language is known. Pass the result to `t`. */
export function msg<const Text extends string>(text: Literal<Text>): Message {
  return text as string as Message;
}

/** The language of the app now. */
export function currentLocale(): Locale {
  return i18n.locale as Locale;
}

/** Calls `listener` after each change of the language. Returns a function that ends this. */
export function onLocaleChange(listener: () => void): () => void {
  return i18n.on('change', listener);
}

/** Shows the app in `locale`. `wanted` are the user's languages, which decide the form of dates: `en-GB` differs from `en-US`. */
export function activateLocale(locale: Locale, catalog: Catalog, wanted: readonly string[] = []): void {
  // A browser says which form of the language the user knows. The setting of the account has only the language.
  const regional = wanted.find((tag) => tag.startsWith(`${locale}-`)) ?? locale;
  setFormatLocale(regional);
  i18n.load(locale, catalog as Record<string, string | CompiledMessage>);
  i18n.activate(locale, regional);
}

/** The first supported language of `wanted` (BCP 47 tags such as `de-AT`), or English. */
export function supportedLocale(wanted: readonly string[]): Locale {
  return webAppLocale(wanted) ?? 'en';
}
