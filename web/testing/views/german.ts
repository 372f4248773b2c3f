/**
 * Lets the steps of views, which name elements in English, find them in the German app. It translates names and texts with the app's own
 * catalogs. A text without a translation is found in English.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

const CATALOGS = join(import.meta.dirname, '..', '..', 'locales', 'de');

/** English texts and their translations, both as patterns: placeholders match anything. */
interface Text {
  readonly english: string;
  readonly german: string;
}

let texts: readonly Text[] | undefined;

function allTexts(): readonly Text[] {
  texts ??= readdirSync(CATALOGS).flatMap((file) => {
    const catalog: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(CATALOGS, file), 'utf8'));
    return Object.entries(catalog).map(([english, german]) => ({
      english: english.replace(/^\[[^\]]+\] /, ''),
      german,
    }));
  });
  return texts;
}

/** A placeholder, a plural or another choice. */
const PLACEHOLDER = /\{((?:[^{}]|\{[^{}]*\})*)\}/;

/**
 * The text as a regular expression. Placeholders and plurals match anything.
 * @param values what stands for placeholders
 */
function pattern(text: string, values: ReadonlyMap<string, string> = new Map()): string {
  const parts = text.replaceAll(/<\/?\w+>/g, '').split(PLACEHOLDER);
  return parts.map((part, index) => (index % 2 === 0 ? escaped(part) : (values.get(part) ?? '.*'))).join('');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(pattern(text).replaceAll('.*', ''));
}

/** The German text for an English one that a step looks for, as a pattern. Undefined if it is another text. */
function translation({ english, german }: Text, wanted: string | RegExp, isExact: boolean): string | undefined {
  if (typeof wanted !== 'string') return wanted.test(english) ? pattern(german) : undefined;
  if (!isExact && english.toLowerCase().includes(wanted.toLowerCase())) return pattern(german);
  const names = english.split(PLACEHOLDER).filter((_, index) => index % 2 === 1);
  const found = new RegExp(`^${pattern(english).replaceAll('.*', '(.*)')}$`, 'i').exec(wanted);
  if (found === null) return undefined;
  return pattern(german, new Map(names.map((name, index) => [name, escaped(found[index + 1] ?? '')])));
}

/** A text that a step looks for, in both languages. */
function inGerman(wanted: string | RegExp, isExact: boolean): RegExp {
  // A text of placeholders only would match everything.
  const usable = allTexts().filter(({ english, german }) => hasWords(english) && hasWords(german));
  const german = usable.flatMap((text) => translation(text, wanted, isExact) ?? []);
  const own = typeof wanted === 'string' ? escaped(wanted) : wanted.source;
  const any = [own, ...new Set(german)].map((one) => (isExact ? `^(?:${one})$` : one)).join('|');
  return new RegExp(any, typeof wanted === 'string' ? 'i' : wanted.flags);
}

type Named = { readonly name?: string | RegExp; readonly hasText?: string | RegExp; readonly exact?: boolean };

function translated(options: Named = {}): Named {
  const { exact = false, ...others } = options;
  return {
    ...others,
    ...(options.name !== undefined && { name: inGerman(options.name, exact) }),
    ...(options.hasText !== undefined && { hasText: inGerman(options.hasText, false) }),
  };
}

/** The originals of what `germanPage` returned, because Playwright compares locators by identity. */
const originals = new WeakMap<object, object>();

/** The page as the steps of a view see it. */
export function germanPage(page: Page): Page {
  return wrapped(page);
}

function wrapped<Target extends Page | Locator>(target: Target): Target {
  const proxy = new Proxy(target, {
    get(inner, property) {
      const value: unknown = Reflect.get(inner, property, inner);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]) => {
        const given = parameters.map((one) => originals.get(one as object) ?? one);
        const result: unknown = value.apply(inner, forGerman(String(property), given));
        return isLocator(result) ? wrapped(result) : result;
      };
    },
  });
  originals.set(proxy, target);
  return proxy;
}

function forGerman(method: string, parameters: unknown[]): unknown[] {
  const [first, options] = parameters;
  if (method === 'getByRole') return [first, translated(options as Named)];
  if (method === 'filter') return [translated(first as Named)];
  if (method !== 'getByText' && method !== 'getByLabel') return parameters;
  const { exact = false } = (options ?? {}) as Named;
  return [inGerman(first as string | RegExp, exact)];
}

function isLocator(value: unknown): value is Locator {
  return typeof value === 'object' && value !== null && 'waitFor' in value && 'first' in value;
}
