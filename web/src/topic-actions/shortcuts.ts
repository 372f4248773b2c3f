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
  follow: defineShortcut({
    id: 'topic.follow',
    keys: ['F'],
    label: msg('Follow the topic or stop following'),
    group: 'message',
    scope: 'feed',
  }),
  resolve: defineShortcut({
    id: 'topic.resolve',
    keys: ['y'],
    label: msg('Mark the topic as resolved or unresolved'),
    group: 'message',
    scope: 'feed',
  }),
  date: defineShortcut({
    id: 'topic.date',
    keys: ['g'],
    label: msg('Go to a date'),
    group: 'reading',
  }),
  print: defineShortcut({
    id: 'topic.print',
    keys: ['Mod+P'],
    label: msg('Print the conversation'),
    group: 'reading',
  }),
};
