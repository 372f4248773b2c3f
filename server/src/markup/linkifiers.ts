import { createRequire } from 'node:module';
import type { Matcher, RE2JS } from 're2js';
import { safeLinkUrl } from './link-urls.ts';
import { type UrlTemplate, urlTemplateOf } from './url-templates.ts';

/** A linkifier as an organization keeps it. */
export interface LinkifierSource {
  readonly pattern: string;
  readonly urlTemplate: string;
}

/** A piece of a text that becomes a link. */
export interface LinkifierMatch {
  readonly index: number;
  readonly text: string;
  readonly href: string;
}

/**
 * What may stand before a match, and after it: it must be no part of a word. The blanks are those of Unicode, of which `\s` is only some
 * here (public reference: linkifiers).
 */
const BEFORE = String.raw`(?:^|\s|${'\u0085'}|\pZ|['"\(,:<])`;
const AFTER = String.raw`(?:$|[^\pL\pN])`;

/** Steps that each character may cost: patterns that count up to thousands are longer than they look. */
const LARGEST_PROGRAM = 2000;
/** Until when a message's or a topic's linkifiers may begin another search, in milliseconds; what they have not found stays text. */
const MOST_TIME = 50;
/** More links in one piece of text are nobody's wish. */
const MOST_MATCHES = 1000;

/** Why a pattern is none; the words are the engine's. */
export class PatternError extends Error {}

/**
 * The pattern's named groups.
 * @throws PatternError
 */
export function groupsOfPattern(pattern: string): ReadonlySet<string> {
  const groups = Object.keys(compiled(pattern).namedGroups());
  if (compiled(surrounded(pattern)).programSize() > LARGEST_PROGRAM) throw new PatternError('pattern too large');
  return new Set(groups);
}

/** The time that is left for one text. */
export class LinkifierBudget {
  readonly #until = performance.now() + MOST_TIME;

  get isSpent(): boolean {
    return performance.now() > this.#until;
  }
}

/** An organization's linkifiers, ready to be used. The engine takes a time that is linear in the text, whatever the pattern. */
export class Linkifiers {
  readonly #linkifiers: readonly {
    readonly pattern: RE2JS;
    readonly groups: readonly string[];
    readonly template: UrlTemplate;
  }[];

  constructor(sources: readonly LinkifierSource[]) {
    this.#linkifiers = sources.flatMap(({ pattern: source, urlTemplate }) => {
      const template = urlTemplateOf(urlTemplate);
      if (template === undefined) return [];
      try {
        const pattern = compiled(surrounded(source));
        const groups = Object.keys(pattern.namedGroups()).filter((name) => name !== WHOLE);
        return [{ pattern, groups, template }];
      } catch {
        // It was checked when it was kept; by a version whose engine knew more.
        return [];
      }
    });
  }

  /**
   * What of the text becomes a link, in its order there: where two overlap, the linkifier that comes first has it.
   * @param isBeginning whether the text begins where a word may; if not, nothing at its very beginning is found
   */
  find(text: string, isBeginning: boolean, budget: LinkifierBudget): readonly LinkifierMatch[] {
    const found: LinkifierMatch[] = [];
    for (const { pattern, groups, template } of this.#linkifiers) {
      const matcher = pattern.matcher(text);
      for (let from = 0; from < text.length && found.length < MOST_MATCHES && !budget.isSpent; ) {
        if (!matcher.find(from)) break;
        const index = matcher.start(WHOLE);
        const whole = matcher.group(WHOLE) ?? '';
        // What stands after a match may stand before the next.
        from = Math.max(index + whole.length, from + 1);
        if (whole === '' || (index === 0 && !isBeginning) || found.some((other) => overlaps(other, index, whole)))
          continue;
        const values = Object.fromEntries(groups.flatMap((name) => valueOfGroup(matcher, name)));
        const href = safeLinkUrl(template.expand(values));
        if (href !== undefined) found.push({ index, text: whole, href });
      }
    }
    return found.sort((a, b) => a.index - b.index);
  }
}

/** What a pattern matches by itself. No group of somebody's can be called so: they have one of the pattern's names. */
const WHOLE = 'linkifier_match';

function surrounded(pattern: string): string {
  return `${BEFORE}(?P<${WHOLE}>${pattern})${AFTER}`;
}

const load = createRequire(import.meta.url);

/** The engine is loaded with the first pattern: few organizations have any. */
function compiled(pattern: string): RE2JS {
  const { RE2JS } = load('re2js') as typeof import('re2js');
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const words = error instanceof Error ? error.message : 'unknown';
    throw new PatternError(words.replace(/^error parsing regexp: /, ''));
  }
}

/** Nothing of a group that took no part. */
function valueOfGroup(matcher: Matcher, name: string): readonly (readonly [string, string])[] {
  const value = matcher.group(name);
  return value === null ? [] : [[name, value]];
}

function overlaps(other: LinkifierMatch, index: number, text: string): boolean {
  return other.index < index + text.length && index < other.index + other.text.length;
}
