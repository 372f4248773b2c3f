import { narrowOfPlace } from '@heddle/client/model/messages/narrow.ts';
import type { TopicPlace } from '@heddle/client/model/messages/places.ts';
import { isResolved } from '@heddle/client/model/messages/places.ts';
import { any } from '@heddle/client/model/permissions/permission-result.ts';
import { type Command, reasonOf } from '../actions/command.ts';
import { copy, linkTo } from '../actions/copying.ts';
import { openDialog } from '../actions/dialog-store.ts';
import { shareCommand } from '../actions/share-command.ts';
import { type App, useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import {
  DeleteIcon,
  FollowIcon,
  LinkIcon,
  MoveIcon,
  MuteIcon,
  NotifyIcon,
  PrintIcon,
  ReadIcon,
  ResolvedIcon,
  UndoIcon,
} from '../design/icons.ts';
import { placeName } from '../shown/names.ts';
import { findCommands } from './find-commands.ts';
import { markPlaceAsRead } from './mark-read.ts';
import { toggleResolved } from './resolving.ts';
import { topicShortcuts } from './shortcuts.ts';
import { toggleFollowed, toggleMuted } from './topic-policy.ts';

/** What the user can do with a topic. The component renders again when this changes, so use it in open menus only. */
export function useTopicMenu(place: TopicPlace): readonly Command[] {
  const app = useApp();
  const { model } = app;
  useChangesOf(model.topicPolicies.changesOf, place.channelId);
  useChangesOf(model.channels.changesOf, place.channelId);
  useChanges(model.unread.changes);
  return topicCommands(app, place);
}

/** What the user can do with a topic, in the order of its menu. */
export function topicCommands(app: App, place: TopicPlace): readonly Command[] {
  const copyLink: Command = {
    id: 'copy-link',
    group: 'inspect',
    label: t('Copy link'),
    icon: LinkIcon,
    run: () => void copy(linkTo(app, place), t('Link copied')),
  };
  const shareLink = shareCommand(linkTo(app, place), placeName(app.model, place));
  const print: Command = {
    id: 'print',
    group: 'inspect',
    label: t('Print…'),
    icon: PrintIcon,
    shortcut: topicShortcuts.print,
    run: () => openDialog({ kind: 'print', place }),
  };
  const inspect = [...findCommands(narrowOfPlace(place, app.model.ownId)), copyLink, ...shareLink, print];
  if (app.model.account.isSpectator) return inspect;
  return [...noticeCommands(app, place), ...changeCommands(app, place), ...inspect, ...removeCommands(app, place)];
}

function noticeCommands(app: App, place: TopicPlace): readonly Command[] {
  const { model } = app;
  const { channelId, topic } = place;
  const isFollowed = model.topicPolicies.isFollowed(channelId, topic);
  const isMuted = model.isTopicMuted(channelId, topic);
  const commands: Command[] = [];
  if ((model.unread.of(place)?.ids.size ?? 0) > 0) {
    const run = () => markPlaceAsRead(app, place);
    commands.push({ id: 'read', group: 'respond', label: t('Mark as read'), icon: ReadIcon, run });
  }
  commands.push(
    {
      id: 'follow',
      group: 'keep',
      label: isFollowed ? t('Stop following') : t('Follow'),
      icon: FollowIcon,
      shortcut: topicShortcuts.follow,
      run: () => toggleFollowed(app, place),
    },
    {
      id: 'mute',
      group: 'keep',
      label: isMuted ? t('Unmute') : t('Mute'),
      icon: isMuted ? NotifyIcon : MuteIcon,
      shortcut: topicShortcuts.mute,
      run: () => toggleMuted(app, place),
    },
  );
  return commands;
}

function changeCommands(app: App, place: TopicPlace): readonly Command[] {
  const { permissions, channels } = app.model;
  const channel = channels.get(place.channelId);
  if (channel === undefined) return [];
  const rename = permissions.messages.move({ from: channel, to: channel, topic: 'renamed' });
  const canLeave = permissions.has('can_move_messages_between_channels_group').allowed && !channel.isArchived;
  const commands: Command[] = [];
  // The topic without a name cannot be resolved.
  if (place.topic !== '') {
    commands.push({
      id: 'resolve',
      group: 'change',
      label: isResolved(place.topic) ? t('Mark as unresolved') : t('Mark as resolved'),
      icon: isResolved(place.topic) ? UndoIcon : ResolvedIcon,
      shortcut: topicShortcuts.resolve,
      refusal: reasonOf(permissions.messages.resolve(channel)),
      run: () => void toggleResolved(app, place),
    });
  }
  commands.push({
    id: 'move',
    group: 'change',
    label: t('Move or rename…'),
    icon: MoveIcon,
    refusal: canLeave ? undefined : reasonOf(rename),
    run: () => openDialog({ kind: 'move', place }),
  });
  return commands;
}

function removeCommands({ model: { permissions, channels } }: App, place: TopicPlace): readonly Command[] {
  const channel = channels.get(place.channelId);
  if (channel === undefined || channel.isArchived) return [];
  const name = 'can_delete_any_message_group';
  const mayDelete = any(
    () => permissions.channels.granted(channel, name),
    () => permissions.has(name),
  );
  if (!mayDelete.allowed) return [];
  const run = () => openDialog({ kind: 'delete-topic', place });
  return [{ id: 'delete', group: 'remove', label: t('Delete topic…'), icon: DeleteIcon, isDanger: true, run }];
}
