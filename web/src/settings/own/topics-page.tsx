import { topicPlace } from '@heddle/client/model/messages/places.ts';
import type { TopicPolicy, TopicPolicyRecord } from '@heddle/client/model/own/topic-policies.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDay } from '../../base/i18n-formats.ts';
import { useEntryState, useListPlace } from '../../base/list-place.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { useDerived } from '../../base/use-derived.ts';
import { FormSection } from '../../design/form.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { Select } from '../../design/select.tsx';
import { VirtualList } from '../../design/virtual-list.tsx';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { channelName, placeName, routeOfPlace, topicLabel } from '../../shown/names.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { TopicText } from '../../shown/topic-text.tsx';
import { setTopicPolicy } from '../../topic-actions/topic-policy.ts';
import styles from '../settings.module.css';

/** The height of a row in pixels. */
const ROW_HEIGHT_PIXELS = 64;

type Filter = 'followed' | 'muted' | 'unmuted';
type Listed = TopicPolicyRecord & { readonly channelId: number };

/** The topics that the user follows, has muted, or has unmuted in a muted channel. */
export function TopicsPage(): ReactNode {
  const app = useApp();
  const { model } = app;
  const place = useListPlace('topics');
  const [filter, setFilter] = useEntryState<Filter>('filter', 'followed');
  const [text, setText] = useEntryState('text', '');
  const topics = useDerived([model.topicPolicies.changes, model.channels.changes], () => {
    const matches = matcherOf(text);
    const isListed = ({ channelId, topic }: Listed) =>
      model.channels.get(channelId) !== undefined && matches(placeName(model, topicPlace(channelId, topic)));
    return model.topicPolicies.withPolicy(filter).filter(isListed);
  }, [model, filter, text]);
  const change = ({ channelId, topic }: Listed, policy: TopicPolicy) =>
    void setTopicPolicy(app, topicPlace(channelId, topic), policy);
  return (
    <FormSection
      title={t('Topics')}
      description={t('To follow or mute a topic, open its menu. Other topics are shown like their channel.')}
    >
      <div className={styles.bar}>
        <SearchField label={t('Filter topics')} value={text} onChange={setText} />
        <Segmented
          label={t('Which topics')}
          options={[
            { key: 'followed', label: t('Followed') },
            { key: 'muted', label: t('Muted') },
            { key: 'unmuted', label: t('Unmuted') },
          ]}
          value={filter}
          onChange={setFilter}
        />
      </div>
      <VirtualList
        place={place}
        className={styles.tallRows ?? ''}
        label={t('Topics')}
        kind="grid"
        count={topics.length}
        keyOf={(index) => keyOf(topics[index]) ?? index}
        rowHeight={ROW_HEIGHT_PIXELS}
        renderRow={({ index }) => <Row record={topics[index]} onChange={change} />}
        empty={<p className={styles.quiet}>{emptyText(filter)}</p>}
      />
    </FormSection>
  );
}

function keyOf(record: Listed | undefined): string | undefined {
  return record && `${record.channelId} ${record.topic.toLowerCase()}`;
}

function emptyText(filter: Filter): string {
  if (filter === 'followed') return t('You follow no topics.');
  return filter === 'muted' ? t('No topic is muted.') : t('No topic is unmuted.');
}

interface RowProps {
  readonly record: Listed | undefined;
  readonly onChange: (record: Listed, policy: TopicPolicy) => void;
}

function Row({ record, onChange }: RowProps): ReactNode {
  const { model } = useApp();
  if (record === undefined) return null;
  const { channelId, topic, policy, updatedAt } = record;
  return (
    <div className={styles.row}>
      <div className={styles.rowTexts}>
        <RouteLink to={routeOfPlace(model, topicPlace(channelId, topic))}>
          <TopicText topic={topic} />
        </RouteLink>
        <div className={styles.quiet}>
          <ChannelMark channel={model.channels.get(channelId)} /> {channelName(model, channelId)} ·{' '}
          {formatDay(new Date(updatedAt * 1000), new Date())}
        </div>
      </div>
      <div className={styles.rowControl}>
        <Select
          label={t('How to show {name}', { name: topicLabel(model, topic).text })}
          isLabelHidden
          options={[
            { key: 'followed', label: t('Followed') },
            { key: 'unmuted', label: t('Unmuted') },
            { key: 'muted', label: t('Muted') },
            { key: 'inherit', label: t('Like the channel') },
          ]}
          value={policy}
          onChange={(next: TopicPolicy) => next !== policy && onChange(record, next)}
        />
      </div>
    </div>
  );
}
