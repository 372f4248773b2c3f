import { Subject } from '@heddle/client/model/changes.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { Suggestion } from './suggestion.ts';

const MAX_SUGGESTIONS = 8;

/** Emoji that come first among equal matches, because people use them most. */
const POPULAR: ReadonlySet<string> = new Set(
  '1f44d 1f389 1f642 2764 1f6e0 1f419 1f604 1f602 1f44f 1f680 1f440 2705 1f64f 1f914 1f525 1f4af'.split(' '),
);

interface NamedEmoji {
  readonly name: string;
  readonly code: string;
}

/** The names of the server's emoji, loaded once when somebody begins a name. */
class EmojiNames {
  readonly changes = new Subject();
  #names: readonly NamedEmoji[] | undefined;
  #isLoading = false;

  /** Empty until they are loaded. */
  get all(): readonly NamedEmoji[] {
    return this.#names ?? [];
  }

  async load(url: string | undefined): Promise<void> {
    if (this.#isLoading || this.#names !== undefined || url === undefined) return;
    this.#isLoading = true;
    try {
      const { pathname } = new URL(url, window.location.href);
      const response = await fetch(pathname);
      const data: unknown = await response.json();
      this.#names = namesOf(data);
      this.changes.changed();
    } catch {
      // The next character tries again.
    } finally {
      this.#isLoading = false;
    }
  }
}

export const emojiNames = new EmojiNames();

function namesOf(data: unknown): readonly NamedEmoji[] {
  if (typeof data !== 'object' || data === null || !('code_to_names' in data)) return [];
  const byCode = data.code_to_names as Readonly<Record<string, readonly string[]>>;
  return Object.entries(byCode).flatMap(([code, names]) => names.map((name) => ({ name, code })));
}

/** Emoji by the beginning of the name, then of its other words. Custom emoji and popular ones come first. */
export function emojiSuggestions({ emoji, organization }: Model, query: string): Suggestion[] {
  void emojiNames.load(organization.server.emoji_data_url);
  const wanted = query.toLowerCase().trim().replaceAll(/[ -]/g, '_');
  const found = new Map<string, { readonly suggestion: Suggestion; readonly rank: number }>();
  for (const { name, url } of emoji.active.values()) {
    const rank = rankOf(name, wanted);
    if (rank !== undefined) found.set(name, { suggestion: custom(name, url), rank: rank - 0.5 });
  }
  const codes = new Set<string>();
  for (const { name, code } of emojiNames.all) {
    const rank = rankOf(name, wanted);
    if (rank === undefined || found.has(name) || codes.has(`${code} ${rank}`)) continue;
    codes.add(`${code} ${rank}`);
    found.set(name, { suggestion: standard(name, code), rank: rank - (POPULAR.has(code) ? 0.7 : 0) });
  }
  return [...found.values()]
    .sort((a, b) => a.rank - b.rank || a.suggestion.label.length - b.suggestion.label.length)
    .filter(({ suggestion }, index, all) => all.findIndex((one) => isSameIcon(one.suggestion, suggestion)) === index)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ suggestion }) => suggestion);
}

function isSameIcon({ icon: one }: Suggestion, { icon: other }: Suggestion): boolean {
  return one.kind === 'emoji' && other.kind === 'emoji' ? one.character === other.character : one === other;
}

/** Undefined: no match. */
function rankOf(name: string, wanted: string): number | undefined {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(`_${wanted}`)) return 2;
  return wanted.length > 2 && name.includes(wanted) ? 3 : undefined;
}

function standard(name: string, code: string): Suggestion {
  const icon = { kind: 'emoji', character: characterOf(code) } as const;
  return { key: `emoji ${name}`, label: name, icon, insert: `:${name}: ` };
}

function custom(name: string, url: string): Suggestion {
  return { key: `emoji ${name}`, label: name, icon: { kind: 'custom-emoji', url }, insert: `:${name}: ` };
}

function characterOf(code: string): string {
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  const text = String.fromCodePoint(...points);
  // Characters that are also text, such as a heart, need the selector of their colourful form.
  return points.length === 1 && (points[0] ?? 0) < 0x1f000 ? `${text}\ufe0f` : text;
}
