/**
 * Keys as text, and how events match them. A key is a character (`j`, `?`) or a name of the platform (`Enter`, `ArrowUp`), with
 * modifiers before it: `Mod+K`, `Shift+Enter`, `Alt+ArrowUp`. `Mod` is Cmd on Apple's systems and Ctrl elsewhere. An upper-case
 * letter alone (`S`) needs Shift.
 */

interface ParsedKeys {
  readonly key: string;
  readonly mod: boolean;
  readonly alt: boolean;
  /** Undefined if the character decides: `?` needs Shift on one keyboard and not on another. */
  readonly shift: boolean | undefined;
}

/** What matching needs of a `KeyboardEvent`. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> & {
  getModifierState?(key: string): boolean;
};

const parsed = new Map<string, ParsedKeys>();

function parse(keys: string): ParsedKeys {
  const known = parsed.get(keys);
  if (known !== undefined) return known;
  const parts = keys === '+' ? ['+'] : keys.split('+');
  const last = parts.at(-1) ?? '';
  const modifiers = new Set(parts.slice(0, -1));
  const isCharacter = last.length === 1;
  const isLetter = /^[a-z]$/i.test(last);
  const mod = modifiers.has('Mod');
  const alt = modifiers.has('Alt');
  // `Mod+K` is written as keyboards show it. Only a letter without other modifiers means Shift by its case.
  const shiftOfLetter = mod || alt ? false : last !== last.toLowerCase();
  const shift = modifiers.has('Shift') ? true : isLetter ? shiftOfLetter : isCharacter ? undefined : false;
  const result = { key: isLetter ? last.toLowerCase() : last, mod, alt, shift };
  parsed.set(keys, result);
  return result;
}

/** The letter or character of the event. A keyboard without Latin letters gives the letter of the same position. */
function keyOf({ key, code }: KeyPress): string {
  if (key.length !== 1) return key;
  const lower = key.toLowerCase();
  if (/^[a-z]$/.test(lower)) return lower;
  const isOtherScript = /^\p{L}$/u.test(key) && (key.codePointAt(0) ?? 0) > 0x24f;
  return isOtherScript && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
}

/** Whether the event is of `keys`. `isApple` decides which key is `Mod`. */
export function matches(keys: string, event: KeyPress, isApple: boolean): boolean {
  const wanted = parse(keys);
  if (keyOf(event) !== wanted.key) return false;
  // AltGr types characters such as `@` and `[`, and some systems report it as Ctrl+Alt.
  const isAltGr = event.getModifierState?.('AltGraph') === true;
  const mod = isApple ? event.metaKey : event.ctrlKey && !isAltGr;
  const other = isApple ? event.ctrlKey : event.metaKey;
  const alt =
    event.altKey && !isAltGr && !(isApple && wanted.key.length === 1 && !wanted.alt && !/[a-z]/.test(wanted.key));
  if (mod !== wanted.mod || other || alt !== wanted.alt) return false;
  return wanted.shift === undefined || event.shiftKey === wanted.shift;
}

/** Whether the keys type a character or move the cursor, so that a text field needs them itself. */
export function needsModifier(keys: string): boolean {
  const { mod, alt } = parse(keys);
  return mod || alt;
}

/** Whether the keys are one character without Ctrl, Cmd or Alt. Users of speech input can switch these off (WCAG 2.1.4). */
export function isSingleCharacter(keys: string): boolean {
  const { key, mod, alt } = parse(keys);
  return key.length === 1 && !mod && !alt;
}

const APPLE_NAMES: Readonly<Record<string, string>> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' };
const SYMBOLS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
};

/** The names of keys in the language of the user, for systems other than Apple's. */
export interface KeyNames {
  readonly Mod: string;
  readonly Alt: string;
  readonly Shift: string;
  readonly [key: string]: string;
}

/** The keys as people read them, one string per key cap: `['Ctrl', 'K']` or `['⌘', 'K']`. */
export function keyCaps(keys: string, isApple: boolean, names: KeyNames): readonly string[] {
  const { key, mod, alt, shift } = parse(keys);
  const modifiers = [mod && 'Mod', alt && 'Alt', shift && 'Shift'].filter(
    (each) => each !== false && each !== undefined,
  );
  const label = names[key] ?? SYMBOLS[key] ?? (key.length === 1 ? key.toLocaleUpperCase() : key);
  return [...modifiers.map((each) => (isApple ? APPLE_NAMES[each] : names[each]) ?? each), label];
}

/** The keys in the form of `aria-keyshortcuts`: `Control+K`. */
export function ariaKeys(keys: readonly string[], isApple: boolean): string {
  return keys
    .map((each) => {
      const { key, mod, alt, shift } = parse(each);
      const parts = [mod && (isApple ? 'Meta' : 'Control'), alt && 'Alt', shift && 'Shift'].filter(Boolean);
      return [...parts, key === '+' ? 'Plus' : key.length === 1 ? key.toUpperCase() : key].join('+');
    })
    .join(' ');
}
