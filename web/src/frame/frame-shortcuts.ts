import { msg } from '../base/i18n.ts';
import { defineShortcut } from '../base/keyboard.ts';

/** The shortcuts of the frame. */
export const frameShortcuts = {
  toggleLeft: defineShortcut({
    id: 'frame.toggle-left',
    keys: ['Mod+Shift+D'],
    label: msg('Show or hide conversations'),
    group: 'app',
  }),
  toggleRight: defineShortcut({
    id: 'frame.toggle-right',
    keys: ['Mod+.'],
    label: msg('Show or hide details'),
    group: 'app',
  }),
  help: defineShortcut({
    id: 'keyboard.help',
    keys: ['?'],
    label: msg('Show keyboard shortcuts'),
    group: 'app',
  }),
};
