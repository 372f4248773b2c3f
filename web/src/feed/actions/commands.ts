import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type Command, reasonOf } from '../../actions/command.ts';
import { copyLink, copySource } from '../../actions/copying.ts';
import { openDialog } from '../../actions/dialog-store.ts';
import type { App } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { factsOf, nowSeconds } from '../../content/message-facts.ts';
import {
  CollapseIcon,
  CopyIcon,
  DeleteIcon,
  EditIcon,
  ExpandIcon,
  ForwardIcon,
  HideIcon,
  HistoryIcon,
  LinkIcon,
  MarkUnreadIcon,
  MoveIcon,
  QuoteIcon,
  ReactIcon,
  ReadIcon,
  ReminderIcon,
  ReplyIcon,
  ReportIcon,
  SourceIcon,
  StarIcon,
} from '../../design/icons.ts';
import { mutedReveals } from '../../people/muted-reveals.ts';
import { editStore } from '../edit/edit-store.ts';
import { openReactionPicker } from '../reactions/picker-store.ts';
import { markUnreadFrom, toggleCollapsed, toggleStar } from './flags.ts';
import { messageShortcuts as keys } from './message-shortcuts.ts';
import { forward, quote, reply } from './quoting.ts';

/** What the user can do with the message, in the order of its menu. Things that nobody would look for are left out. */
export function messageCommands(app: App, record: MessageRecord): readonly Command[] {
  return [
    ...respondCommands(app, record),
    ...keepCommands(app, record),
    ...changeCommands(app, record),
    ...inspectCommands(app, record),
    ...removeCommands(app, record),
  ];
}

function respondCommands(app: App, record: MessageRecord): readonly Command[] {
  const { model } = app;
  if (model.account.isSpectator) return [];
  const group = 'respond';
  const react = model.permissions.messages.react(factsOf(record));
  return [
    {
      id: 'react',
      group,
      label: t('Add a reaction'),
      icon: ReactIcon,
      shortcut: keys.react,
      refusal: reasonOf(react),
      run: () => openReactionPicker(record.id),
    },
    { id: 'reply', group, label: t('Reply'), icon: ReplyIcon, shortcut: keys.reply, run: () => reply(record) },
    {
      id: 'quote',
      group,
      label: t('Quote and reply'),
      icon: QuoteIcon,
      shortcut: keys.quote,
      run: () => void quote(app, record),
    },
    {
      id: 'forward',
      group,
      label: t('Forward'),
      icon: ForwardIcon,
      shortcut: keys.forward,
      run: () => void forward(app, record),
    },
  ];
}

function keepCommands(app: App, record: MessageRecord): readonly Command[] {
  const { model } = app;
  if (model.account.isSpectator) return [];
  const group = 'keep';
  const { id, isStarred, isCollapsed } = record;
  return [
    {
      id: 'star',
      group,
      label: isStarred ? t('Remove the star') : t('Star'),
      icon: StarIcon,
      shortcut: keys.star,
      run: () => void toggleStar(app, record),
    },
    {
      id: 'remind',
      group,
      label: t('Remind me…'),
      icon: ReminderIcon,
      shortcut: keys.remind,
      run: () => openDialog({ kind: 'remind', messageId: id }),
    },
    {
      id: 'mark-unread',
      group,
      label: t('Mark as unread from here'),
      icon: MarkUnreadIcon,
      shortcut: keys.markUnread,
      run: () => void markUnreadFrom(app, id),
    },
    {
      id: 'collapse',
      group,
      label: isCollapsed ? t('Show the whole message') : t('Collapse'),
      icon: isCollapsed ? ExpandIcon : CollapseIcon,
      shortcut: keys.collapse,
      run: () => void toggleCollapsed(app, record),
    },
    ...(model.mutedUsers.has(record.senderId)
      ? [{ id: 'hide', group, label: t('Hide again'), icon: HideIcon, run: () => mutedReveals.hide(id) } as const]
      : []),
  ];
}

function changeCommands(app: App, record: MessageRecord): readonly Command[] {
  const { model } = app;
  const { id, place, senderId } = record;
  const group = 'change';
  const facts = factsOf(record);
  const edit = model.permissions.messages.editContent(facts, nowSeconds());
  const isOwn = senderId === model.ownId;
  const channel = place.kind === 'topic' ? model.channels.get(place.channelId) : undefined;
  const commands: Command[] = [];
  if (isOwn && !isWidget(record)) {
    commands.push({
      id: 'edit',
      group,
      label: t('Edit'),
      icon: EditIcon,
      ...(edit.allowed && { shortcut: keys.edit }),
      refusal: reasonOf(edit),
      run: () => void editStore.open(app, id),
    });
  }
  if (!edit.allowed) {
    commands.push({
      id: 'source',
      group,
      label: t('View source'),
      icon: SourceIcon,
      shortcut: keys.edit,
      run: () => openDialog({ kind: 'source', messageId: id }),
    });
  }
  if (channel !== undefined && place.kind === 'topic' && !model.account.isSpectator) {
    const { permissions } = model;
    const rename = permissions.messages.move({ from: channel, to: channel, topic: 'renamed' });
    const canLeave = permissions.has('can_move_messages_between_channels_group').allowed && !channel.isArchived;
    commands.push({
      id: 'move',
      group,
      label: t('Move messages…'),
      icon: MoveIcon,
      shortcut: keys.move,
      refusal: canLeave ? undefined : reasonOf(rename),
      run: () => openDialog({ kind: 'move', place, messageId: id }),
    });
  }
  return commands;
}

function inspectCommands(app: App, record: MessageRecord): readonly Command[] {
  const { settings } = app.model.organization;
  const { id, editedAt, movedAt } = record;
  const group = 'inspect';
  const policy = settings.message_edit_history_visibility_policy;
  const isChanged = policy === 'moves' ? movedAt !== undefined : editedAt !== undefined || movedAt !== undefined;
  const commands: Command[] = [
    {
      id: 'copy-link',
      group,
      label: t('Copy link'),
      icon: LinkIcon,
      shortcut: keys.copyLink,
      run: () => copyLink(app, record),
    },
    { id: 'copy-text', group, label: t('Copy text'), icon: CopyIcon, run: () => copySource(app, record) },
  ];
  if (app.model.account.isSpectator) return commands;
  if (isChanged && policy !== 'none') {
    commands.push({
      id: 'history',
      group,
      label: t('View edit history'),
      icon: HistoryIcon,
      shortcut: keys.history,
      run: () => openDialog({ kind: 'history', messageId: id }),
    });
  }
  if (settings.enable_read_receipts) {
    commands.push({
      id: 'receipts',
      group,
      label: t('View read receipts'),
      icon: ReadIcon,
      shortcut: keys.receipts,
      run: () => openDialog({ kind: 'receipts', messageId: id }),
    });
  }
  return commands;
}

function removeCommands({ model }: App, record: MessageRecord): readonly Command[] {
  if (model.account.isSpectator) return [];
  const { id, senderId } = record;
  const group = 'remove';
  const isOwn = senderId === model.ownId;
  const mayDelete = model.permissions.messages.delete(factsOf(record), nowSeconds());
  const commands: Command[] = [];
  if (!isOwn && model.organization.settings.moderation_request_channel_id > 0) {
    const run = () => openDialog({ kind: 'report', messageId: id });
    commands.push({ id: 'report', group, label: t('Report…'), icon: ReportIcon, run });
  }
  if (mayDelete.allowed || isOwn) {
    commands.push({
      id: 'delete',
      group,
      label: t('Delete…'),
      icon: DeleteIcon,
      isDanger: true,
      refusal: reasonOf(mayDelete),
      run: () => openDialog({ kind: 'delete', messageId: id }),
    });
  }
  return commands;
}

/** Polls and to-do lists have no text to edit. */
function isWidget({ submessages }: MessageRecord): boolean {
  return submessages.length > 0;
}
