import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ariaKeys, isSingleCharacter, type KeyPress, keyCaps, matches, needsModifier } from './keyboard-keys.ts';

const NAMES = { Mod: 'Strg', Alt: 'Alt', Shift: 'Umschalt' };

function press(key: string, modifiers: Partial<KeyPress> = {}): KeyPress {
  return { key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...modifiers };
}

test('a letter and the same letter with Shift are two shortcuts, also with Caps Lock', () => {
  assert.equal(matches('s', press('s'), false), true);
  assert.equal(matches('S', press('s'), false), false);
  assert.equal(matches('S', press('S', { shiftKey: true }), false), true);
  assert.equal(matches('s', press('S'), false), true, 'Caps Lock');
  assert.equal(matches('s', press('S', { shiftKey: true }), false), false);
});

test('a character matches on every layout, whether it needs Shift or AltGr', () => {
  assert.equal(matches('?', press('?', { shiftKey: true }), false), true);
  assert.equal(matches('/', press('/'), false), true);
  assert.equal(matches('/', press('/', { shiftKey: true }), false), true, 'German');
  const altGr = { ctrlKey: true, altKey: true, getModifierState: (name: string) => name === 'AltGraph' };
  assert.equal(matches('@', press('@', altGr), false), true);
});

test('Mod is Cmd on systems of Apple, and Ctrl elsewhere', () => {
  assert.equal(matches('Mod+K', press('k', { ctrlKey: true }), false), true);
  assert.equal(matches('Mod+K', press('k', { metaKey: true }), false), false);
  assert.equal(matches('Mod+K', press('k', { metaKey: true }), true), true);
  assert.equal(matches('Mod+K', press('k', { ctrlKey: true }), true), false);
  assert.equal(matches('Mod+K', press('K', { ctrlKey: true, shiftKey: true }), false), false);
  assert.equal(matches('Mod+Shift+K', press('K', { ctrlKey: true, shiftKey: true }), false), true);
});

test('other modifiers than those of the shortcut refuse it', () => {
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'] as const) {
    assert.equal(matches('j', press('j', { [modifier]: true }), false), false, modifier);
    assert.equal(matches('Enter', press('Enter', { [modifier]: true }), false), false, modifier);
  }
  assert.equal(matches('Enter', press('Enter', { shiftKey: true }), false), false);
  assert.equal(matches('Alt+ArrowUp', press('ArrowUp', { altKey: true }), false), true);
});

test('a keyboard with other letters uses the position of the key', () => {
  assert.equal(matches('j', press('о', { code: 'KeyJ' }), false), true);
  assert.equal(matches('j', press('ö', { code: 'Semicolon' }), false), false);
});

test('only one character without Ctrl, Cmd or Alt is a single character', () => {
  assert.equal(isSingleCharacter('?'), true);
  assert.equal(isSingleCharacter('S'), true);
  assert.equal(isSingleCharacter('Mod+K'), false);
  assert.equal(isSingleCharacter('Escape'), false);
  assert.equal(needsModifier('Mod+K'), true);
  assert.equal(needsModifier('Shift+Enter'), false);
});

test('keys are shown as the caps of the system', () => {
  assert.deepEqual(keyCaps('Mod+Shift+D', false, NAMES), ['Strg', 'Umschalt', 'D']);
  assert.deepEqual(keyCaps('Mod+Shift+D', true, NAMES), ['⌘', '⇧', 'D']);
  assert.deepEqual(keyCaps('r', false, NAMES), ['R']);
  assert.deepEqual(keyCaps('S', false, NAMES), ['Umschalt', 'S']);
  assert.deepEqual(keyCaps('ArrowUp', false, NAMES), ['↑']);
  assert.deepEqual(keyCaps('?', false, NAMES), ['?']);
});

test('assistive technology gets the names of the platform', () => {
  assert.equal(ariaKeys(['Mod+K', 'S', '/'], false), 'Control+K Shift+S /');
  assert.equal(ariaKeys(['Mod+K'], true), 'Meta+K');
});

/** Who has which keys. The definitions are read from the sources, because many are in modules that only a browser can load. */
async function definedKeys() {
  const root = join(import.meta.dirname, '..');
  const found: { readonly where: string; readonly keys: readonly string[]; readonly scope: string }[] = [];
  const scopeIn = (text: string) => /\bscope: '(\w+)'/.exec(text)?.[1];
  for await (const path of glob('**/*.{ts,tsx}', { cwd: root, exclude: ['gallery', 'base/keyboard.ts'] })) {
    const source = await readFile(join(root, path), 'utf8');
    if (!source.includes('defineShortcut')) continue;
    const common = scopeIn(/const common = \{[^}]*\}/.exec(source)?.[0] ?? '');
    const helper = scopeIn(/const define = [^;]*;/.exec(source)?.[0] ?? '');
    for (const { index, 2: list = '' } of source.matchAll(
      /(\bkeys: |\bdefine\('[\w-]+', )\[((?:'[^']+'(?:, )?)+)\]/g,
    )) {
      const around = source.slice(source.lastIndexOf('{', index), source.indexOf('}', index));
      const scope = scopeIn(around) ?? (around.includes('...common') ? common : helper) ?? 'global';
      // Shift with a letter has two forms.
      const keys = [...list.matchAll(/'([^']+)'/g)].map(([, key = '']) => key.replace(/^Shift\+(?=[A-Z]$)/, ''));
      found.push({ where: `${basename(path)}: ${keys}`, keys, scope });
    }
  }
  return found;
}

test('no two shortcuts have the same keys, unless the inner one of two scopes is meant to win', async () => {
  const all = await definedKeys();
  assert(all.length > 60, `only ${all.length} shortcuts were found`);
  // Without a selected message, `*` leads to the starred ones. In views without messages, the arrow keys enter the list.
  const meant = new Set(['*', 'j', 'k', 'ArrowDown', 'ArrowUp']);
  // These need the focus, or a dialog.
  const inner = new Set(['list', 'compose', 'dialog']);
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1)) {
      if (one.scope !== other.scope && (inner.has(one.scope) || inner.has(other.scope))) continue;
      const isMeant = (keys: string) => one.scope !== other.scope && meant.has(keys);
      const same = one.keys.filter((keys) => other.keys.includes(keys) && !isMeant(keys));
      assert.deepEqual(same, [], `${one.where} (${one.scope}) and ${other.where} (${other.scope})`);
    }
  }
});
