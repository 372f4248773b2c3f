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
 * What may be before and after a match, which must not be part of a word. Spaces are those of Unicode: in this engine `\s` means only some
 * of them (public reference: linkifiers).
 */
const BEFORE = String.raw`(?:^|\s|${'\u0085'}|\pZ|['"\(,:<])`;
const AFTER = String.raw`(?:$|[^\pL\pN])`;

/** Steps of the compiled pattern, which bound the time per character. Patterns with large counts compile to many steps. */
const MAX_PROGRAM_STEPS = 2000;
/** For a message or a topic, in milliseconds. No search begins after that, and what was not found stays text. */
const MAX_SEARCH_MS = 50;
/** Links in one piece of text. */
const MAX_LINKS_PER_TEXT = 1000;

/** The pattern is invalid. The message is the engine's. */
export class PatternError extends Error {}

/**
 * The pattern's named groups.
 * @throws PatternError
 */
export function groupsOfPattern(pattern: string): ReadonlySet<string> {
  const groups = Object.keys(compiled(pattern).namedGroups());
  if (compiled(surrounded(pattern)).programSize() > MAX_PROGRAM_STEPS) throw new PatternError('pattern too large');
  return new Set(groups);
}

/** The time that is left for one text. */
export class LinkifierBudget {
  readonly #until = performance.now() + MAX_SEARCH_MS;

  get isSpent(): boolean {
    return performance.now() > this.#until;
  }
}

/** An organization's linkifiers, compiled. The engine takes linear time for every pattern. */
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
        // An older version of the server accepted the pattern, and its engine knew more.
        return [];
      }
    });
  }

  /**
   * The pieces of the text that become links, in their order. Where two matches overlap, the first linkifier wins.
   * @param isBeginning whether a word can begin at the beginning of the text; otherwise nothing matches there
   */
  find(text: string, isBeginning: boolean, budget: LinkifierBudget): readonly LinkifierMatch[] {
    const found: LinkifierMatch[] = [];
    for (const { pattern, groups, template } of this.#linkifiers) {
      const matcher = pattern.matcher(text);
      for (let from = 0; from < text.length && found.length < MAX_LINKS_PER_TEXT && !budget.isSpent; ) {
        if (!matcher.find(from)) break;
        const index = matcher.start(WHOLE);
        const whole = matcher.group(WHOLE) ?? '';
        // The character after a match can be the one before the next match.
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

/** The group around the pattern. No pattern has a group of that name: the engine refuses duplicate names. */
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

/** Empty for a group that did not match. */
function valueOfGroup(matcher: Matcher, name: string): readonly (readonly [string, string])[] {
  const value = matcher.group(name);
  return value === null ? [] : [[name, value]];
}

function overlaps(other: LinkifierMatch, index: number, text: string): boolean {
  return other.index < index + text.length && index < other.index + other.text.length;
}
