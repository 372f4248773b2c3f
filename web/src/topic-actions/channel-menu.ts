import { type Command, reasonOf } from '../actions/command.ts';
import { copy } from '../actions/copying.ts';
import { openDialog } from '../actions/dialog-store.ts';
import { shareCommand } from '../actions/share-command.ts';
import { type App, useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import {
  ColourIcon,
  InviteIcon,
  LeaveIcon,
  LinkIcon,
  MuteIcon,
  NotifyIcon,
  PinIcon,
  ReadIcon,
  SettingsIcon,
  UnpinIcon,
} from '../design/icons.ts';
import { routeOfChannel } from '../shown/names.ts';
import { changeSubscription, joinChannel, leaveChannel } from './channel-settings.ts';
import { findCommands } from './find-commands.ts';
import { markChannelAsRead } from './mark-read.ts';

/** What the user can do with a channel. The component renders again when this changes, so use it in open menus only. */
export function useChannelMenu(channelId: number): readonly Command[] {
  const app = useApp();
  useChangesOf(app.model.channels.changesOf, channelId);
  useChanges(app.model.unread.changes);
  return channelCommands(app, channelId);
}

/** What the user can do with a channel, in the order of its menu. */
export function channelCommands(app: App, channelId: number): readonly Command[] {
  const { model, navigation } = app;
  const channel = model.channels.get(channelId);
  if (channel === undefined) return [];
  const link = `${window.location.origin}/${navigation.hashOf(routeOfChannel(channelId))}`;
  const copyLink: Command = {
    id: 'copy-link',
    group: 'inspect',
    label: t('Copy link'),
    icon: LinkIcon,
    run: () => void copy(link, t('Link copied')),
  };
  const shareLink = shareCommand(link, channel.name);
  const find = findCommands([{ operator: 'channel', operand: channelId }]);
  if (model.account.isSpectator) return [...find, copyLink, ...shareLink];
  const settings: Command = {
    id: 'settings',
    group: 'inspect',
    label: t('Channel settings'),
    icon: SettingsIcon,
    run: () => navigation.go({ view: 'channel', channelId, tab: 'general' }),
  };
  if (!channel.isSubscribed) {
    const subscribe: Command = {
      id: 'subscribe',
      group: 'keep',
      label: t('Subscribe'),
      icon: InviteIcon,
      refusal: reasonOf(model.permissions.channels.subscribe(channel)),
      run: () => void joinChannel(app, channel),
    };
    return [subscribe, settings, ...find, copyLink, ...shareLink];
  }
  const unsubscribe: Command = {
    id: 'unsubscribe',
    group: 'remove',
    label: t('Unsubscribe'),
    icon: LeaveIcon,
    isDanger: true,
    // A private channel cannot be joined again without help.
    run: () => (channel.isPrivate ? openDialog({ kind: 'unsubscribe', channelId }) : void leaveChannel(app, channel)),
  };
  return [...ownCommands(app, channelId), settings, ...find, copyLink, ...shareLink, unsubscribe];
}

/** What changes only the user's own view of the channel. */
function ownCommands(app: App, channelId: number): readonly Command[] {
  const { model } = app;
  const settings = model.channels.get(channelId)?.settings;
  if (settings === undefined || settings === null) return [];
  const { isMuted, isPinned } = settings;
  const { count, mutedCount } = model.unread.ofChannel(channelId);
  const commands: Command[] = [];
  if (count + mutedCount > 0) {
    const run = () => markChannelAsRead(app, channelId);
    commands.push({ id: 'read', group: 'respond', label: t('Mark all as read'), icon: ReadIcon, run });
  }
  commands.push(
    {
      id: 'mute',
      group: 'keep',
      label: isMuted ? t('Unmute') : t('Mute'),
      icon: isMuted ? NotifyIcon : MuteIcon,
      run: () => void changeSubscription(app, channelId, 'is_muted', !isMuted),
    },
    {
      id: 'pin',
      group: 'keep',
      label: isPinned ? t('Unpin') : t('Pin to the top'),
      icon: isPinned ? UnpinIcon : PinIcon,
      run: () => void changeSubscription(app, channelId, 'pin_to_top', !isPinned),
    },
    {
      id: 'colour',
      group: 'keep',
      label: t('Change colour…'),
      icon: ColourIcon,
      run: () => openDialog({ kind: 'colour', channelId }),
    },
  );
  return commands;
}
