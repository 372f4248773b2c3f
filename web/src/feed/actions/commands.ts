import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import type { PermissionResult } from '@heddle/client/model/permissions/permission-result.ts';
import { type Command, type CommandGroup, reasonOf } from '../../actions/command.ts';
import { copyLink, copySource, linkTo } from '../../actions/copying.ts';
import { type MessageDialogKind, openDialog } from '../../actions/dialog-store.ts';
import { pin } from '../../actions/pinning.ts';
import type { App } from '../../base/app.tsx';
import { type Message, msg, t } from '../../base/i18n.ts';
import type { Shortcut } from '../../base/keyboard.ts';
import { messageText } from '../../content/message-text.ts';
import {
  CollapseIcon,
  CopyIcon,
  DeleteIcon,
  EditIcon,
  ExpandIcon,
  ForwardIcon,
  HideIcon,
  HistoryIcon,
  type Icon,
  LinkIcon,
  MarkUnreadIcon,
  MoveIcon,
  PinIcon,
  QuoteIcon,
  ReactIcon,
  ReadIcon,
  ReminderIcon,
  ReplyIcon,
  ReportIcon,
  ShareIcon,
  SourceIcon,
  StarIcon,
  UnpinIcon,
} from '../../design/icons.ts';
import { mutedReveals } from '../../people/muted-reveals.ts';
import { canShare, share } from '../../shown/sharing.ts';
import { editStore } from '../edit/edit-store.ts';
import { openReactionPicker } from '../reactions/picker-store.ts';
import {
  type CommandFacts,
  canReport,
  commandFacts,
  hasHistory,
  hasReceipts,
  isInChannel,
  isOwnText,
  mayMove,
  mayPin,
  mayReact,
  pinOf,
} from './command-facts.ts';
import { markUnreadFrom, toggleCollapsed, toggleStar } from './flags.ts';
import { messageShortcuts as keys } from './message-shortcuts.ts';
import { forward, quote, reply } from './quoting.ts';

type IsShown = (facts: CommandFacts) => boolean;
type Run = (app: App, record: MessageRecord) => unknown;

interface Options {
  /** Whether people without an account have it. */
  readonly isPublic?: boolean;
  readonly isDanger?: boolean;
  /** Without it, the command is always there. */
  readonly isShown?: IsShown;
  /** If the server would refuse it, the command is shown with the reason. */
  readonly permission?: (facts: CommandFacts) => PermissionResult;
}

type Row = readonly [id: string, label: Message, icon: Icon, key: Shortcut | undefined, run: Run, options?: Options];

const pickReaction: Run = (_, { id }) => openReactionPicker(id);
const edit: Run = (app, { id }) => editStore.open(app, id);
const markUnread: Run = (app, { id }) => markUnreadFrom(app, id);
const hide: Run = (_, { id }) => mutedReveals.hide(id);
const move: Run = (_, { id, place }) => place.kind === 'topic' && openDialog({ kind: 'move', place, messageId: id });
const pinIn = (place: 'topic' | 'channel'): Run => {
  return (app, record) => void pin(app, record, place);
};
const unpin: Run = (app, record) => void pin(app, record, undefined);
const shareIt: Run = (app, { id, place, content }) => {
  return share({ text: messageText(content), url: linkTo(app, place, id) });
};
const open = (kind: MessageDialogKind): Run => {
  return (_, { id }) => openDialog({ kind, messageId: id });
};

const isStarred: IsShown = ({ record }) => record.isStarred;
const isCollapsed: IsShown = ({ record }) => record.isCollapsed;
const isMuted: IsShown = ({ model, record }) => model.mutedUsers.has(record.senderId);
const isPinned: IsShown = (facts) => pinOf(facts) !== undefined;
const isUnpinned: IsShown = (facts) => isInChannel(facts) && !isPinned(facts);
const isOutsideChannelPins: IsShown = (facts) => isInChannel(facts) && pinOf(facts) !== 'channel';
const isEditable: IsShown = (facts) => isOwnText(facts) && facts.edit.allowed;
const isTooLate: IsShown = (facts) => isOwnText(facts) && !facts.edit.allowed;
const isFixed: IsShown = (facts) => !facts.edit.allowed;
const isRemovable: IsShown = ({ isOwn, remove }) => isOwn || remove.allowed;
const not = (isShown: IsShown): IsShown => {
  return (facts) => !isShown(facts);
};
const mayEdit = (facts: CommandFacts) => facts.edit;
const mayRemove = (facts: CommandFacts) => facts.remove;

/** All commands in the order of the menu. Of two rows with the same id, one is shown. */
const COMMANDS: Readonly<Record<CommandGroup, readonly Row[]>> = {
  respond: [
    ['react', msg('Add a reaction'), ReactIcon, keys.react, pickReaction, { permission: mayReact }],
    ['reply', msg('Reply'), ReplyIcon, keys.reply, (_, record) => reply(record)],
    ['quote', msg('Quote and reply'), QuoteIcon, keys.quote, quote],
    ['forward', msg('Forward'), ForwardIcon, keys.forward, forward],
  ],
  keep: [
    ['star', msg('Remove the star'), StarIcon, keys.star, toggleStar, { isShown: isStarred }],
    ['star', msg('Star'), StarIcon, keys.star, toggleStar, { isShown: not(isStarred) }],
    ['pin', msg('Pin in the topic'), PinIcon, keys.pin, pinIn('topic'), { isShown: isUnpinned, permission: mayPin }],
    ['pin', msg('Unpin'), UnpinIcon, keys.pin, unpin, { isShown: isPinned, permission: mayPin }],
    [
      'pin-in-channel',
      msg('Pin in the channel'),
      PinIcon,
      undefined,
      pinIn('channel'),
      { isShown: isOutsideChannelPins, permission: mayPin },
    ],
    ['remind', msg('Remind me…'), ReminderIcon, keys.remind, open('remind')],
    ['mark-unread', msg('Mark as unread from here'), MarkUnreadIcon, keys.markUnread, markUnread],
    ['collapse', msg('Show the whole message'), ExpandIcon, keys.collapse, toggleCollapsed, { isShown: isCollapsed }],
    ['collapse', msg('Collapse'), CollapseIcon, keys.collapse, toggleCollapsed, { isShown: not(isCollapsed) }],
    ['hide', msg('Hide again'), HideIcon, undefined, hide, { isShown: isMuted }],
  ],
  change: [
    ['edit', msg('Edit'), EditIcon, keys.edit, edit, { isShown: isEditable }],
    // The key shows the source then.
    ['edit', msg('Edit'), EditIcon, undefined, edit, { isShown: isTooLate, permission: mayEdit }],
    ['source', msg('View source'), SourceIcon, keys.edit, open('source'), { isPublic: true, isShown: isFixed }],
    ['move', msg('Move messages…'), MoveIcon, keys.move, move, { isShown: isInChannel, permission: mayMove }],
  ],
  inspect: [
    ['copy-link', msg('Copy link'), LinkIcon, keys.copyLink, copyLink, { isPublic: true }],
    ['share', msg('Share…'), ShareIcon, undefined, shareIt, { isPublic: true, isShown: canShare }],
    ['copy-text', msg('Copy text'), CopyIcon, undefined, copySource, { isPublic: true }],
    ['history', msg('View edit history'), HistoryIcon, keys.history, open('history'), { isShown: hasHistory }],
    ['receipts', msg('View read receipts'), ReadIcon, keys.receipts, open('receipts'), { isShown: hasReceipts }],
  ],
  remove: [
    ['report', msg('Report…'), ReportIcon, undefined, open('report'), { isShown: canReport }],
    [
      'delete',
      msg('Delete…'),
      DeleteIcon,
      undefined,
      open('delete'),
      { isDanger: true, isShown: isRemovable, permission: mayRemove },
    ],
  ],
};

const GROUPS = Object.keys(COMMANDS) as CommandGroup[];

/** What the user can do with the message, in the order of its menu. */
export function messageCommands(app: App, record: MessageRecord): readonly Command[] {
  const facts = commandFacts(app.model, record);
  const toCommand = (group: CommandGroup, [id, label, icon, shortcut, run, options = {}]: Row): Command[] => {
    const { isPublic = false, isDanger = false, isShown, permission } = options;
    if (app.model.account.isSpectator && !isPublic) return [];
    if (isShown !== undefined && !isShown(facts)) return [];
    const refusal = permission && reasonOf(permission(facts));
    const command = { id, group, label: t(label), icon, refusal, isDanger, run: () => void run(app, record) };
    return [shortcut === undefined ? command : { ...command, shortcut }];
  };
  return GROUPS.flatMap((group) => COMMANDS[group].flatMap((row) => toCommand(group, row)));
}
