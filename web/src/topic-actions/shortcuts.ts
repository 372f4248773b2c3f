import { msg } from '../base/i18n.ts';
import { defineShortcut } from '../base/keyboard.ts';

/** What one does with the topic that is open, or that the selected message is in. */
export const topicShortcuts = {
  mute: defineShortcut({
    id: 'topic.mute',
    keys: ['M'],
    label: msg('Mute or unmute the topic'),
    group: 'message',
    scope: 'feed',
  }),
  print: defineShortcut({
    id: 'topic.print',
    keys: ['Mod+P'],
    label: msg('Print the conversation'),
    group: 'reading',
  }),
};
