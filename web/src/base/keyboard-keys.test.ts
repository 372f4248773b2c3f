import assert from 'node:assert/strict';
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
