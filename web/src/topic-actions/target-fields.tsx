import type { TopicPlace } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChangesOf } from '../base/use-changes.ts';
import { ComboBox } from '../design/combo-box.tsx';
import type { Option } from '../design/list-box.tsx';
import { ChannelMark } from '../shown/channel-mark.tsx';

interface Props {
  readonly from: TopicPlace;
  readonly target: TopicPlace;
  readonly onChange: (target: TopicPlace) => void;
}

/** How many suggestions a field shows. */
const MAX_OPTIONS = 30;

/** The channel and the topic to which messages move. */
export function TargetFields({ from, target, onChange }: Props): ReactNode {
  const { model } = useApp();
  useChangesOf(model.cache.topics.changesOf, target.channelId);
  const { topic, channelId } = target;
  const limit = model.organization.limits.topic_length;
  // While the user types another name, no suggestion is chosen.
  const [chosen, setChosen] = useState<string | null>(topic === '' ? null : topic);
  const isLong = [...topic].length > limit;
  return (
    <>
      <ComboBox
        label={t('Channel')}
        value={channelOption(model, channelId)}
        onChange={(key) => key !== null && onChange({ ...target, channelId: Number(key) })}
        search={(text) => channelsFor(model, from, text)}
        emptyText={t('No channel matches, or you cannot write there.')}
      />
      <ComboBox
        label={t('Topic')}
        autoFocus
        allowsCustomValue
        value={chosen === null ? null : { key: chosen, label: chosen }}
        onChange={(key) => {
          setChosen(key);
          onChange({ ...target, topic: key ?? '' });
        }}
        onInputChange={(text) => {
          setChosen(null);
          onChange({ ...target, topic: text.trim() });
        }}
        search={(text) => topicsFor(model, channelId, text)}
        placeholder={model.organization.settings.empty_topic_display_name ?? t('general chat')}
        {...(isLong && { error: t('A topic can have up to {limit, number} characters.', { limit }) })}
      />
    </>
  );
}

function channelOption(model: Model, channelId: number): Option {
  const channel = model.channels.get(channelId);
  return {
    key: String(channelId),
    label: channel?.name ?? t('Unknown channel'),
    icon: <ChannelMark channel={channel} />,
  };
}

/** Channels that the user may write to, with those that begin with the text first. The present one is always possible. */
function channelsFor(model: Model, { channelId }: TopicPlace, text: string): readonly Option[] {
  const wanted = text.trim().toLowerCase();
  const found = [...model.channels.all.values()]
    .filter(({ name, isArchived }) => !isArchived && name.toLowerCase().includes(wanted))
    .filter((channel) => channel.id === channelId || model.permissions.channels.post(channel).allowed);
  const rank = (name: string) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found
    .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name))
    .slice(0, MAX_OPTIONS)
    .map(({ id }) => channelOption(model, id));
}

function topicsFor(model: Model, channelId: number, text: string): readonly Option[] {
  const wanted = text.trim().toLowerCase();
  return model.cache.topics
    .of(channelId)
    .filter(({ topic }) => topic !== '' && topic.toLowerCase().includes(wanted))
    .slice(0, MAX_OPTIONS)
    .map(({ topic }) => ({ key: topic, label: topic }));
}
