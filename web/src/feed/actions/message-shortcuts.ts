import { msg } from '../../base/i18n.ts';
import { defineShortcut, type ShortcutDefinition } from '../../base/keyboard.ts';

const define = (name: string, keys: ShortcutDefinition['keys'], label: ShortcutDefinition['label']) =>
  defineShortcut({ id: `message.${name}`, keys, label, group: 'message', scope: 'feed' });

/** What one does with the selected message. */
export const messageShortcuts = {
  reply: define('reply', ['r', 'Enter'], msg('Reply')),
  quote: define('quote', ['>'], msg('Quote and reply')),
  replyDirectly: define('reply-directly', ['R'], msg('Reply to the sender directly')),
  mentionSender: define('mention-sender', ['@'], msg('Reply and mention the sender')),
  forward: define('forward', ['<'], msg('Forward')),
  react: define('react', [':'], msg('Add a reaction')),
  thumbsUp: define('thumbs-up', ['+'], msg('React with 👍')),
  sameReaction: define('same-reaction', ['='], msg('React with the first reaction')),
  star: define('star', ['*', 'Mod+S'], msg('Star')),
  remind: define('remind', ['Shift+T'], msg('Remind me')),
  pin: define('pin', ['b'], msg('Pin or unpin')),
  markUnread: define('mark-unread', ['Shift+U'], msg('Mark as unread from here')),
  collapse: define('collapse', ['-'], msg('Collapse')),
  edit: define('edit', ['e'], msg('Edit the message or view its source')),
  move: define('move', ['m'], msg('Move messages')),
  copyLink: define('copy-link', ['L'], msg('Copy link')),
  history: define('history', ['H'], msg('View edit history')),
  receipts: define('receipts', ['V'], msg('View read receipts')),
  menu: define('menu', ['i'], msg('More actions')),
} as const;
