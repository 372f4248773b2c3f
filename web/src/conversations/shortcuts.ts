import { msg } from '../shell/i18n.ts';
import { defineShortcut } from '../shell/keyboard.ts';

/** Filters the sidebar. */
export const filterShortcut = defineShortcut({
  id: 'conversations.filter',
  keys: ['q'],
  label: msg('Filter conversations'),
  group: 'navigation',
});
