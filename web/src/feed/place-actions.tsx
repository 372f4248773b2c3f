import { isResolved, type TopicPlace } from '@heddle/client/model/messages/places.ts';
import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { IconButton } from '../design/icon-button.tsx';
import { FollowIcon, MuteIcon, NotifyIcon, ResolvedIcon, UndoIcon } from '../design/icons.ts';
import { mayResolve, toggleResolved } from '../topic-actions/resolving.ts';
import { topicShortcuts } from '../topic-actions/shortcuts.ts';
import { toggleFollowed, toggleMuted } from '../topic-actions/topic-policy.ts';

interface PlaceActionsProps {
  readonly place: TopicPlace;
  readonly className: string | undefined;
  /** The keys act on this topic. */
  readonly hasKeys: boolean;
}

/** Resolves, follows and mutes the topic of a bar. */
export default function PlaceActions({ place, className, hasKeys }: PlaceActionsProps): ReactNode {
  const app = useApp();
  const { model } = app;
  const { channelId, topic } = place;
  useChangesOf(model.topicPolicies.changesOf, channelId);
  useChangesOf(model.channels.changesOf, channelId);
  useChanges(model.permissions.changes);
  if (model.account.isSpectator) return null;
  const isMuted = model.isTopicMuted(channelId, topic);
  const isFollowed = model.topicPolicies.isFollowed(channelId, topic);
  const isDone = isResolved(topic);
  const common = { size: 'small', placement: 'bottom' } as const;
  return (
    <span className={className}>
      {mayResolve(app, place) && (
        <IconButton
          {...common}
          icon={isDone ? UndoIcon : ResolvedIcon}
          label={isDone ? t('Mark as unresolved') : t('Mark as resolved')}
          {...(hasKeys && { shortcut: topicShortcuts.resolve })}
          onPress={() => void toggleResolved(app, place)}
        />
      )}
      <IconButton
        {...common}
        icon={FollowIcon}
        label={isFollowed ? t('Stop following') : t('Follow')}
        {...(hasKeys && { shortcut: topicShortcuts.follow })}
        onPress={() => toggleFollowed(app, place)}
      />
      <IconButton
        {...common}
        icon={isMuted ? NotifyIcon : MuteIcon}
        label={isMuted ? t('Unmute') : t('Mute')}
        {...(hasKeys && { shortcut: topicShortcuts.mute })}
        onPress={() => toggleMuted(app, place)}
      />
    </span>
  );
}
