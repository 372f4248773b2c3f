/** Reads, compiles and updates the translations of the app and of the server, in `locales/<locale>/<folder>.json` of their workspace. */
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { LANGUAGES } from '@heddle/api/languages.ts';
import { WEB_APP_LOCALES } from '@heddle/api/web-app.ts';
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { compileSimple } from '../src/base/simple-message.ts';
import { type Finding, readTexts, type SourceTexts } from './texts.ts';

/** The locales of the app with translations. English is in the sources. */
const TRANSLATED: readonly string[] = WEB_APP_LOCALES.filter((locale) => locale !== 'en');

/** A workspace with texts. */
export interface Workspace {
  /** Its folder. */
  readonly folder: string;
  /** Into which its texts are translated. */
  readonly locales: readonly string[];
}

/** @param root of the repository */
export function workspacesWithTexts(root: string): readonly Workspace[] {
  const languages = LANGUAGES.map(({ tag }) => tag).filter((tag) => tag !== 'en');
  return [
    { folder: join(root, 'web'), locales: TRANSLATED },
    { folder: join(root, 'server'), locales: languages },
  ];
}

interface Translation {
  readonly text: string;
  readonly translation: string;
  /** The catalog's path, relative to the folder of the workspace. */
  readonly path: string;
  readonly line: number;
}

/** All translations of a locale, in the order of the files. A text that occurs twice is twice in the list. */
export async function readTranslations(web: string, locale: string): Promise<Translation[]> {
  const paths = await Array.fromAsync(glob(`locales/${locale}/*.json`, { cwd: web }));
  const all: Translation[] = [];
  for (const path of paths.map((each) => each.replaceAll('\\', '/')).sort()) {
    const source = await readFile(join(web, path), 'utf8');
    const lines = source.split('\n');
    for (const [text, translation] of Object.entries(JSON.parse(source) as Record<string, string>)) {
      const line = lines.findIndex((each) => each.includes(`${JSON.stringify(text)}:`)) + 1;
      all.push({ text, translation, path, line });
    }
  }
  return all;
}

const CONTEXT = /^\[[^\]]+\] /;

/** The English text that people see: without its context. */
export function englishOf(text: string): string {
  return text.replace(CONTEXT, '');
}

/**
 * Compiles a message for the app: a text without placeholders stays a string. Strings with an escape sequence of JavaScript
 * are not compiled, because they are rare. Throws if the message is not valid ICU.
 */
export function compiled(message: string): string | CompiledMessage {
  const parts = compileMessageOrThrow(message);
  const [only, ...others] = parts;
  return typeof only === 'string' && others.length === 0 ? only : parts;
}

/** The catalog of `locale` as the app loads it. A missing translation shows English. */
export async function compileCatalog(
  web: string,
  locale: string,
  { texts }: SourceTexts,
): Promise<Record<string, string | CompiledMessage>> {
  const catalog: Record<string, string | CompiledMessage> = {};
  const translations = new Map<string, string>();
  if (locale !== 'en') {
    for (const { text, translation } of await readTranslations(web, locale)) translations.set(text, translation);
  }
  for (const text of texts.keys()) {
    const message = compiled(translations.get(text) || englishOf(text));
    // The app compiles simple English texts itself.
    if (locale !== 'en' || !isSimple(englishOf(text), message)) catalog[text] = message;
  }
  return catalog;
}

function isSimple(text: string, message: string | CompiledMessage): boolean {
  return isDeepStrictEqual([message].flat(), compileSimple(text));
}

/** The names that a message uses: placeholders as `{name}`, elements as `<name>`. */
function namesOf(message: string): { placeholders: Set<string>; elements: Set<string> } {
  const placeholders = new Set<string>();
  const visit = (parts: CompiledMessage): void => {
    for (const part of parts) {
      if (typeof part === 'string') continue;
      const [name, type, format] = part;
      placeholders.add(name);
      if (type !== 'plural' && type !== 'select' && type !== 'selectordinal') continue;
      for (const [key, each] of Object.entries(format as Record<string, unknown>)) {
        if (key !== 'offset') visit(each as CompiledMessage);
      }
    }
  };
  visit(compileMessageOrThrow(message));
  return {
    placeholders,
    elements: new Set([...message.matchAll(/<\/?([a-zA-Z]\w*)\/?>/g)].map(([, name]) => name ?? '')),
  };
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other);
}

/** The problems of the texts: missing, unused and wrong translations, wrong values, and literal text in the sources. */
export async function checkTexts(web: string, locales: readonly string[] = TRANSLATED): Promise<Finding[]> {
  const sources = await readTexts(web);
  const findings = [...sources.findings, ...checkUses(sources)];
  for (const locale of locales) findings.push(...(await checkLocale(web, locale, sources)));
  return findings;
}

function checkUses({ texts }: SourceTexts): Finding[] {
  const findings: Finding[] = [];
  for (const [text, uses] of texts) {
    const problem = problemOf(englishOf(text));
    for (const { path, line, values } of uses) {
      if (problem !== undefined) findings.push({ path, line, problem });
      else if (values !== undefined && !isSame(new Set(values), namesOf(englishOf(text)).placeholders)) {
        findings.push({ path, line, problem: `the values of "${text}" differ from its placeholders` });
      }
    }
  }
  return findings;
}

/** Why a message is not valid ICU. */
function problemOf(message: string): string | undefined {
  try {
    compileMessageOrThrow(message);
    return undefined;
  } catch (error) {
    return `"${message}" is not a valid message: ${(error as Error).message.split('\n')[0]}`;
  }
}

async function checkLocale(web: string, locale: string, { texts }: SourceTexts): Promise<Finding[]> {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const { text, translation, path, line } of await readTranslations(web, locale)) {
    const find = (problem: string) => findings.push({ path, line, problem });
    if (seen.has(text)) find(`"${text}" is translated twice`);
    seen.add(text);
    if (!texts.has(text)) find(`"${text}" is not used; run npm run texts`);
    if (translation === '') find(`"${text}" is not translated`);
    const problem = problemOf(translation);
    if (problem !== undefined) find(problem);
    if (translation === '' || problem !== undefined || problemOf(englishOf(text)) !== undefined) continue;
    const [english, translated] = [namesOf(englishOf(text)), namesOf(translation)];
    if (!isSame(english.placeholders, translated.placeholders))
      find(`"${translation}" has other placeholders than the English text`);
    if (!isSame(english.elements, translated.elements))
      find(`"${translation}" has other elements than the English text`);
  }
  for (const [text, [use]] of texts) {
    if (seen.has(text) || use === undefined) continue;
    findings.push({
      path: use.path,
      line: use.line,
      problem: `"${text}" has no translation (${locale}); run npm run texts`,
    });
  }
  return findings;
}

/**
 * Brings the catalogs up to date: adds new texts with an empty translation to the catalog of the folder that uses them first,
 * removes unused texts, and sorts. Returns the number of texts without translation.
 */
export async function updateCatalogs(web: string, locales: readonly string[] = TRANSLATED): Promise<number> {
  const { texts } = await readTexts(web);
  let missing = 0;
  for (const locale of locales) {
    const catalogs = new Map<string, Map<string, string>>();
    const put = (path: string, text: string, translation: string) => {
      const catalog = catalogs.get(path) ?? new Map<string, string>();
      catalog.set(text, translation);
      catalogs.set(path, catalog);
    };
    const known = new Set<string>();
    const paths = new Set<string>();
    for (const { text, translation, path } of await readTranslations(web, locale)) {
      paths.add(path);
      if (!texts.has(text) || known.has(text)) continue;
      known.add(text);
      put(path, text, translation);
      if (translation === '') missing += 1;
    }
    for (const [text, [use]] of texts) {
      if (known.has(text) || use === undefined) continue;
      put(`locales/${locale}/${folderOf(use.path)}.json`, text, '');
      missing += 1;
    }
    for (const path of paths) if (!catalogs.has(path)) await rm(join(web, path));
    for (const [path, catalog] of catalogs) {
      await mkdir(dirname(join(web, path)), { recursive: true });
      const sorted = [...catalog].sort(([one], [other]) => (one < other ? -1 : 1));
      await writeFile(join(web, path), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
    }
  }
  return missing;
}

/** `src/feed/rows/row.tsx` is in the folder `feed`, and files directly in `src/` are in `app`. */
function folderOf(path: string): string {
  const [, first, ...others] = path.split('/');
  return others.length === 0 || first === undefined ? 'app' : first;
}
