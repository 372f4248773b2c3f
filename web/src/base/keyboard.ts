/**
 * The keyboard: every action that has keys. A folder defines its shortcuts once, as constants, so that tooltips and the help
 * know them even while nothing listens. A mounted component handles them with `useShortcut` (`keyboard-react.tsx`).
 *
 * Which handler gets a key:
 * - In a dialog only shortcuts of the scope `dialog`, and those that work anywhere.
 * - In a text field only shortcuts of the scope around it, those with Ctrl, Cmd or Alt, and those that say `whileTyping`.
 * - Otherwise the scopes around the focus first, innermost first, then `feed`, then `global`. The newest handler of a scope first.
 */
import { Subject, type Subscribable } from '@heddle/client/model/changes.ts';
import { type Message, msg, t } from './i18n.ts';
import { ariaKeys, isSingleCharacter, keyCaps, matches, needsModifier } from './keyboard-keys.ts';

/** Where shortcuts apply. An element with `data-keyboard-scope` is the scope of the focus inside it. `feed` needs no focus. */
export type Scope = 'global' | 'feed' | 'list' | 'compose' | 'dialog';

/** The headings of the help, in this order. */
export const SHORTCUT_GROUPS = ['navigation', 'reading', 'message', 'writing', 'lists', 'app'] as const;
export type ShortcutGroup = (typeof SHORTCUT_GROUPS)[number];

export interface ShortcutDefinition {
  /** Unique, with the folder before the action: `feed.next`. */
  readonly id: string;
  /** Alternatives; the first is shown in tooltips. See `keyboard-keys.ts` for the form. */
  readonly keys: readonly [string, ...string[]];
  readonly label: Message;
  readonly group: ShortcutGroup;
  readonly scope?: Scope;
  /** Whether the keys also work in a text field outside of their scope. Keys with Ctrl, Cmd or Alt always do. */
  readonly whileTyping?: boolean;
  /** Whether the action repeats while the key is held. */
  readonly repeats?: boolean;
}

export type Shortcut = Readonly<Required<ShortcutDefinition>>;

/** Handles the keys. If it returns false, the next handler or the browser gets them. */
export type Handler = (event: KeyboardEvent) => unknown;

interface Binding {
  readonly shortcut: Shortcut;
  /** Whether the action is possible now. */
  readonly when: () => boolean;
  readonly run: Handler;
}

export interface Action {
  readonly shortcut: Shortcut;
  run(): void;
}

/** Whether this is a system of Apple, whose shortcuts use Cmd. */
export const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

const defined = new Map<string, Shortcut>();
/** The newest is last. */
const bindings: Binding[] = [];
const subject = new Subject();
let areSingleKeysOn = true;

/** Readers of `shortcuts` and `possibleActions` subscribe to this. */
export const keyboardChanges: Subscribable = subject;

/** Defines a shortcut. An id that exists is replaced, so that a module can load again in development. */
export function defineShortcut(definition: ShortcutDefinition): Shortcut {
  const shortcut = { scope: 'global', whileTyping: false, repeats: false, ...definition } as const;
  defined.set(shortcut.id, shortcut);
  subject.changed();
  return shortcut;
}

/** All shortcuts, in the order of their definition. */
export function shortcuts(): readonly Shortcut[] {
  return [...defined.values()];
}

/** Handles `shortcut` until the returned function is called. */
export function bindShortcut(shortcut: Shortcut, run: Handler, when: () => boolean = () => true): () => void {
  const binding = { shortcut, when, run };
  bindings.push(binding);
  subject.changed();
  return () => {
    const index = bindings.indexOf(binding);
    if (index >= 0) bindings.splice(index, 1);
    subject.changed();
  };
}

/** The actions that are possible now, for the command palette. The newest handler of an id is the one that runs. */
export function possibleActions(): readonly Action[] {
  const actions = new Map<string, Action>();
  for (const { shortcut, when, run } of bindings) {
    if (when()) actions.set(shortcut.id, { shortcut, run: () => run(new KeyboardEvent('keydown')) });
  }
  return [...actions.values()];
}

/** Switches shortcuts of one character on or off. Users of speech input and of some assistive devices need them off. */
export function setSingleKeys(isOn: boolean): void {
  areSingleKeysOn = isOn;
  subject.changed();
}

/** Whether shortcuts of one character work. */
export function hasSingleKeys(): boolean {
  return areSingleKeysOn;
}

/** Handles the keys of a window. Call it once. Returns a function that ends it. */
export function listenToKeyboard(target: Window): () => void {
  const listener = (event: KeyboardEvent) => handleKey(event);
  target.addEventListener('keydown', listener);
  return () => target.removeEventListener('keydown', listener);
}

/** The input types in which keys type text. */
const NO_TEXT = /^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/;
/** Widgets that find an item by the character that is typed. */
const FINDS_BY_CHARACTER = '[role=menu], [role=listbox], [role=tablist], [role=radiogroup]';

/** Runs the handler of the event's keys, if there is one. Returns whether one ran. */
export function handleKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.key === 'Process') return false;
  const around = surroundings(event.target);
  const candidates = bindings
    .map((binding, index) => ({ binding, rank: rankOf(binding.shortcut, around), index }))
    .filter(({ binding, rank }) => rank !== undefined && isOf(binding.shortcut, event, around))
    .sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0) || b.index - a.index);
  for (const { binding } of candidates) {
    if (!binding.when() || binding.run(event) === false) continue;
    event.preventDefault();
    return true;
  }
  return false;
}

interface Surroundings {
  /** The scopes around the focus, innermost first. */
  readonly scopes: readonly string[];
  readonly isTyping: boolean;
  readonly isFinding: boolean;
  readonly isInDialog: boolean;
}

function surroundings(target: EventTarget | null): Surroundings {
  const scopes: string[] = [];
  const focus = target instanceof Element ? target : null;
  const isInDialog = (focus?.closest('[role=dialog], [role=alertdialog]') ?? null) !== null;
  let element = focus?.closest('[data-keyboard-scope]') ?? null;
  while (element !== null) {
    scopes.push(element.getAttribute('data-keyboard-scope') ?? '');
    element = element.parentElement?.closest('[data-keyboard-scope]') ?? null;
  }
  return {
    scopes,
    isInDialog,
    isTyping: isTextField(focus),
    isFinding: (focus?.closest(FINDS_BY_CHARACTER) ?? null) !== null,
  };
}

function isTextField(element: Element | null): boolean {
  if (element instanceof HTMLInputElement) return !NO_TEXT.test(element.type);
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return true;
  return element instanceof HTMLElement && element.isContentEditable;
}

/** How close the shortcut's scope is; undefined if it does not apply. */
function rankOf({ scope, whileTyping }: Shortcut, { scopes, isInDialog }: Surroundings): number | undefined {
  const around = scopes.indexOf(scope);
  if (around >= 0) return 100 - around;
  if (isInDialog) {
    if (scope === 'dialog') return 50;
    return scope === 'global' && whileTyping ? 0 : undefined;
  }
  if (scope === 'feed') return 1;
  return scope === 'global' ? 0 : undefined;
}

function isOf(shortcut: Shortcut, event: KeyboardEvent, { scopes, isTyping, isFinding }: Surroundings): boolean {
  if (event.repeat && !shortcut.repeats) return false;
  return shortcut.keys.some((keys) => {
    if (!matches(keys, event, isApple)) return false;
    const isSingle = isSingleCharacter(keys);
    if (isSingle && (!areSingleKeysOn || isFinding)) return false;
    if (!isTyping || needsModifier(keys)) return true;
    // A character in a field is text, even in the field's own scope.
    return shortcut.whileTyping || (!isSingle && scopes.includes(shortcut.scope));
  });
}

/** The keys as people read them, one string per key cap. */
export function capsOf(keys: string): readonly string[] {
  return keyCaps(keys, isApple, {
    Mod: t('[key] Ctrl'),
    Alt: t('[key] Alt'),
    Shift: t('[key] Shift'),
    Escape: t('[key] Esc'),
    Home: t('[key] Home'),
    End: t('[key] End'),
    PageUp: t('[key] Page up'),
    PageDown: t('[key] Page down'),
    Backspace: t('[key] Backspace'),
    Delete: t('[key] Delete'),
    ' ': t('[key] Space'),
  });
}

/** The value of `aria-keyshortcuts` for an element that does the same. */
export function ariaKeysOf({ keys }: Shortcut): string {
  return ariaKeys(keys, isApple);
}

const GROUP_LABELS: Readonly<Record<ShortcutGroup, Message>> = {
  navigation: msg('Navigation'),
  reading: msg('Reading'),
  message: msg('Selected message'),
  writing: msg('Writing'),
  lists: msg('Lists'),
  app: msg('App'),
};

export function labelOfGroup(group: ShortcutGroup): string {
  return t(GROUP_LABELS[group]);
}
