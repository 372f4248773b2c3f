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

/** The emoji that the user chose last in this browser, newest first. At the beginning, popular ones. */
export function recentEmoji(userId: number): readonly Emoji[] {
  const stored = read(userId);
  const known = new Set(stored.map(keyOfEmoji));
  return [...stored, ...POPULAR.filter((emoji) => !known.has(keyOfEmoji(emoji)))].slice(0, MAX_RECENT_EMOJI);
}

export function rememberEmoji(userId: number, { type, code, name }: Emoji): void {
  const others = read(userId).filter((emoji) => keyOfEmoji(emoji) !== keyOfEmoji({ type, code }));
  try {
    const list = [{ type, code, name }, ...others].slice(0, MAX_RECENT_EMOJI);
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

function read(userId: number): readonly Emoji[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(accountKey(userId, 'emoji')) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEmoji) : [];
  } catch {
    return [];
  }
}

function isEmoji(value: unknown): value is Emoji {
  if (typeof value !== 'object' || value === null) return false;
  const { type, code, name } = value as Partial<Record<keyof Emoji, unknown>>;
  return typeof type === 'string' && typeof code === 'string' && typeof name === 'string';
}
