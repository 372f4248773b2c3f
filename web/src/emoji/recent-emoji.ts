import { accountKey } from '../base/account-storage.ts';
import { type Emoji, keyOfEmoji } from './emoji.ts';

/** How many emoji are remembered. */
const MAX_RECENT_EMOJI = 32;

/** What a user begins with. */
const POPULAR: readonly Emoji[] = [
  { type: 'unicode_emoji', code: '1f44d', name: '+1' },
  { type: 'unicode_emoji', code: '1f389', name: 'tada' },
  { type: 'unicode_emoji', code: '1f642', name: 'smile' },
  { type: 'unicode_emoji', code: '2764', name: 'heart' },
  { type: 'unicode_emoji', code: '1f6e0', name: 'working_on_it' },
  { type: 'unicode_emoji', code: '1f419', name: 'octopus' },
];

interface RememberedEmoji extends Emoji {
  /** How often the user chose it. Earlier versions did not count. */
  readonly count?: number;
}

/** The emoji that the user chose last in this browser, newest first. At the beginning, popular ones. */
export function recentEmoji(userId: number): readonly Emoji[] {
  return withPopular(read(userId)).slice(0, MAX_RECENT_EMOJI);
}

/** The emoji that the user chose most often in this browser, the last chosen first among equals. */
export function frequentEmoji(userId: number, limit: number): readonly Emoji[] {
  const stored = read(userId).toSorted((a, b) => (b.count ?? 1) - (a.count ?? 1));
  return withPopular(stored).slice(0, limit);
}

function withPopular(stored: readonly Emoji[]): readonly Emoji[] {
  const known = new Set(stored.map(keyOfEmoji));
  return [...stored, ...POPULAR.filter((emoji) => !known.has(keyOfEmoji(emoji)))];
}

export function rememberEmoji(userId: number, { type, code, name }: Emoji): void {
  const key = keyOfEmoji({ type, code });
  const stored = read(userId);
  const count = (stored.find((emoji) => keyOfEmoji(emoji) === key)?.count ?? 0) + 1;
  const others = stored.filter((emoji) => keyOfEmoji(emoji) !== key);
  try {
    const list: RememberedEmoji[] = [{ type, code, name, count }, ...others].slice(0, MAX_RECENT_EMOJI);
    localStorage.setItem(accountKey(userId, 'emoji'), JSON.stringify(list));
  } catch {
    // A full storage only forgets the order.
  }
}

/** The skin tone that the user chose last in this browser, as an index. Undefined: none. */
export function rememberedTone(userId: number): number | undefined {
  try {
    const tone = Number(localStorage.getItem(accountKey(userId, 'emoji-tone')) ?? Number.NaN);
    return Number.isInteger(tone) && tone >= 0 ? tone : undefined;
  } catch {
    return undefined;
  }
}

export function rememberTone(userId: number, tone: number | undefined): void {
  try {
    const key = accountKey(userId, 'emoji-tone');
    if (tone === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, String(tone));
  } catch {
    // Without storage, the user chooses it again.
  }
}

function read(userId: number): readonly RememberedEmoji[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(accountKey(userId, 'emoji')) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEmoji) : [];
  } catch {
    return [];
  }
}

function isEmoji(value: unknown): value is RememberedEmoji {
  if (typeof value !== 'object' || value === null) return false;
  const { type, code, name, count = 1 } = value as Partial<Record<keyof RememberedEmoji, unknown>>;
  return typeof count === 'number' && typeof type === 'string' && typeof code === 'string' && typeof name === 'string';
}
