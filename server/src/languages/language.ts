/**
 * The texts of pages and mails in the reader's language. A text is an ICU message in English. It stands in the code where it is used, and is the
 * key of its translations. `docs/translating.md` describes how texts are found, translated and checked.
 *
 * @example
 * const { t } = language;
 * t('{count, plural, one {# new message} other {# new messages}}', { count });
 */
import { knownLanguage, LANGUAGES, type LanguageTag } from '@heddle/api/languages.ts';
import { setupI18n } from '@lingui/core';
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage';
import { readCatalog } from './catalogs.ts';
import { type Marked, withMarks, withValues } from './marks.ts';

/** A text that `msg` marked for translation. `t` translates it later. */
export type Message = string & { readonly isMessage: true };

export type Values = Readonly<Record<string, string | number>>;

/** Refuses strings that are known at run time only. They have no translations. */
export type Literal<Text extends string> = string extends Text ? never : Text;

/** The text in the reader's language. `values` replace the placeholders. */
export type Translate = <const Text extends string>(text: Literal<Text> | Message, values?: Values) => string;

export interface Language {
  readonly tag: LanguageTag;
  readonly t: Translate;
  /** The text with marks for its values, which may be anything. `withValues` puts them in. */
  marked<Value>(text: string, values: Readonly<Record<string, Value | number>>): Marked<Value>;
  /** The translation of the message of an error; the message itself if it has none. */
  known(message: string): string;
  date(at: Date, options: Intl.DateTimeFormatOptions): string;
}

/** Marks a text for translation, for example in a table or in an error. */
export function msg<const Text extends string>(text: Literal<Text>): Message {
  return text as string as Message;
}

/** The first language of `wanted` (BCP 47 tags, the preferred one first) that we have, else English. */
export function languageFor(wanted: readonly (string | undefined)[]): Language {
  return languageWith(knownLanguage(wanted.filter((tag) => tag !== undefined)) ?? 'en');
}

/** A catalog is read when its language is first needed, and kept. */
const languages = new Map<LanguageTag, Language>();

function languageWith(tag: LanguageTag): Language {
  const known = languages.get(tag);
  if (known !== undefined) return known;
  const made = makeLanguage(tag);
  languages.set(tag, made);
  return made;
}

/** The text in all languages, to recognize it. */
export function inAllLanguages(text: Message): readonly string[] {
  return LANGUAGES.map(({ tag }) => languageWith(tag).t(text));
}

const CONTEXT = /^\[[^\]]+\] /;

function makeLanguage(tag: LanguageTag): Language {
  const catalog = readCatalog(tag);
  // English pages and mails have dates such as `5 March 2026`.
  const regional = tag === 'en' ? 'en-GB' : tag;
  const i18n = setupI18n({ locale: tag, locales: [regional], messages: { [tag]: catalog } });
  i18n.setMessagesCompiler(compiledOnce());
  const format = (text: string, values?: Values): string =>
    i18n._(text, values as Record<string, unknown> | undefined, { message: text.replace(CONTEXT, '') });
  const marked: Language['marked'] = (text, values) => withMarks(values, (marks) => format(text, marks));
  const t: Translate = (text, values) =>
    values === undefined ? format(text) : withValues(marked<string>(text, values)).join('');
  return {
    tag,
    t,
    marked,
    known: (message) => (Object.hasOwn(catalog, message) ? t(message as Message) : message),
    date: (at, options) => new Intl.DateTimeFormat(regional, options).format(at),
  };
}

/** Compiles each text once. Texts are literals in the code, so their number is bounded. */
function compiledOnce(): (message: string) => CompiledMessage {
  const compiled = new Map<string, CompiledMessage>();
  return (message) => {
    const known = compiled.get(message);
    if (known !== undefined) return known;
    const made = compileMessage(message);
    compiled.set(message, made);
    return made;
  };
}
