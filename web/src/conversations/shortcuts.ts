import { msg } from '../base/i18n.ts';
import { defineShortcut } from '../base/keyboard.ts';

/** Filters the sidebar. */
export const filterShortcut = defineShortcut({
  id: 'conversations.filter',
  keys: ['q'],
  label: msg('Filter conversations'),
  group: 'navigation',
});

/** Enter a list. Inside of it, the arrow keys and these letters move. */
export const listShortcuts = {
  next: defineShortcut({
    id: 'conversations.next-row',
    keys: ['ArrowDown', 'j'],
    label: msg('Next row of the list'),
    group: 'lists',
  }),
  previous: defineShortcut({
    id: 'conversations.previous-row',
    keys: ['ArrowUp', 'k'],
    label: msg('Previous row of the list'),
    group: 'lists',
  }),
};
