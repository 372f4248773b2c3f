import { directPlace } from '@heddle/client/model/messages/places.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import type { Route } from '../base/routes.ts';
import { useChanges } from '../base/use-changes.ts';
import { viewsOf } from '../conversations/sidebar/views.ts';
import { CommandBox, type CommandOption } from '../design/command-box.tsx';
import { KeyboardIcon } from '../design/icons.ts';
import { ChannelMark } from '../shown/channel-mark.tsx';
import { channelName, directName, routeOfChannel, routeOfPlace, userName } from '../shown/names.ts';
import { TopicText } from '../shown/topic-text.tsx';
import { DirectMark, UserAvatar } from '../shown/user-mark.tsx';
import { commandsOf } from './palette-commands.ts';
import { type Entry, paletteEntries } from './palette-entries.ts';

interface Option extends CommandOption {
  readonly entry: Entry;
}

/** Goes to any conversation, person, view or command. */
export default function PaletteDialog({ onClose }: { onClose: () => void }): ReactNode {
  const app = useApp();
  const { model, navigation } = app;
  const { recent } = model.cache;
  const [text, setText] = useState('');
  const [commands] = useState(() => commandsOf(app));
  useChanges(recent.changes);
  useEffect(() => {
    void recent.load();
    model.users.prepareSearch();
  }, [recent, model]);
  const options = paletteEntries(model, text, commands).map((entry): Option => {
    return { key: entry.key, entry, ...shownEntry(entry, model), ...(text.trim() === '' && { group: groupOf(entry) }) };
  });
  const choose = ({ entry }: Option) => {
    onClose();
    // The focus returns when the palette has closed. What the command opens can take it then.
    if (entry.kind === 'command') setTimeout(entry.command.run);
    else navigation.go(routeOf(entry, model));
  };
  return (
    <CommandBox<Option>
      label={t('Go to')}
      placeholder={t('Conversation, person or command')}
      text={text}
      onText={setText}
      options={options}
      onChoose={choose}
      onClose={onClose}
      emptyText={t('Nothing has this name.')}
    />
  );
}

type AppModel = ReturnType<typeof useApp>['model'];

function groupOf({ kind }: Entry): string {
  return kind === 'view' ? t('Views') : t('Recent conversations');
}

function routeOf(entry: Exclude<Entry, { kind: 'command' }>, model: AppModel): Route {
  switch (entry.kind) {
    case 'place':
      return routeOfPlace(model, entry.place);
    case 'channel':
      return routeOfChannel(entry.channel.id);
    case 'person':
      return routeOfPlace(model, directPlace([entry.userId], model.ownId));
    case 'view': {
      const view = viewsOf(model).find(({ fragment }) => fragment === entry.fragment);
      return view?.builtIn?.route ?? { view: 'unknown', hash: `#${entry.fragment}` };
    }
  }
}

function shownEntry(entry: Entry, model: AppModel): Pick<CommandOption, 'label' | 'detail' | 'icon' | 'keys'> {
  switch (entry.kind) {
    case 'place': {
      const { place } = entry;
      if (place.kind === 'direct') {
        return { icon: <DirectMark userIds={place.userIds} />, label: directName(model, place.userIds) };
      }
      const channel = model.channels.get(place.channelId);
      return {
        icon: <ChannelMark channel={channel} />,
        label: <TopicText topic={place.topic} />,
        detail: channelName(model, place.channelId),
      };
    }
    case 'channel':
      return { icon: <ChannelMark channel={entry.channel} />, label: entry.channel.name, detail: t('Channel') };
    case 'person':
      return {
        icon: <UserAvatar userId={entry.userId} size="xs" hasPresence />,
        label: userName(model, entry.userId),
        detail: model.users.get(entry.userId)?.isActive === false ? t('Deactivated') : t('Direct message'),
      };
    case 'view': {
      const ViewIcon = viewsOf(model).find(({ fragment }) => fragment === entry.fragment)?.icon;
      return { icon: ViewIcon && <ViewIcon aria-hidden="true" />, label: entry.name };
    }
    case 'command': {
      const { icon: CommandIcon = KeyboardIcon, label, keys } = entry.command;
      return { icon: <CommandIcon aria-hidden="true" />, label, ...(keys !== undefined && { keys }) };
    }
  }
}
