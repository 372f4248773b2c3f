import { addDefaultChannel, removeDefaultChannel } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { ComboBox } from '../../design/combo-box.tsx';
import { FormSection } from '../../design/form.tsx';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { channelName, routeOfChannel } from '../../shown/names.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';
import { useOrganization } from './use-organization.ts';

/** How many channels the list shows. */
const MAX_CHANNELS = 50;

/** The channels that new users join. */
export function DefaultChannelsPage(): ReactNode {
  const { model, connection, refusal } = useOrganization();
  const action = useAction();
  useChanges(model.channels.changes);
  const reason = refusal('default_streams'); // wire name: of the list
  const { defaultChannelIds } = model.organization;
  const collator = new Intl.Collator();
  const ids = [...defaultChannelIds].sort((a, b) => collator.compare(channelName(model, a), channelName(model, b)));
  // New users cannot read the history of private channels, so the server refuses these.
  const search = (text: string) => {
    const matches = matcherOf(text);
    return [...model.channels.all.values()]
      .filter((channel) => !channel.isArchived && !channel.isPrivate && !defaultChannelIds.has(channel.id))
      .filter(({ name }) => matches(name))
      .sort((a, b) => collator.compare(a.name, b.name))
      .slice(0, MAX_CHANNELS)
      .map((channel) => ({
        key: String(channel.id),
        label: channel.name,
        icon: <ChannelMark channel={channel} />,
      }));
  };
  return (
    <FormSection
      title={t('Default channels')}
      description={t('New users join these channels, unless their invitation names others.')}
    >
      {reason === undefined ? (
        <ComboBox
          key={ids.join(' ')}
          label={t('Add a channel')}
          value={null}
          onChange={(key) =>
            key !== null && void action.run(() => addDefaultChannel(connection, { stream_id: Number(key) }))
          }
          search={search}
          emptyText={t('No other public channel has this name.')}
        />
      ) : (
        <p className={styles.quiet}>{reason}</p>
      )}
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      {ids.length === 0 && <p className={styles.quiet}>{t('There are no default channels.')}</p>}
      <ul className={styles.list} aria-label={t('Default channels')}>
        {ids.map((id) => (
          <li key={id} className={styles.item}>
            <span className={styles.itemTexts}>
              <RouteLink to={routeOfChannel(id)}>
                <ChannelMark channel={model.channels.get(id)} />
                {channelName(model, id)}
              </RouteLink>
            </span>
            {reason === undefined && (
              <Button
                size="small"
                kind="quiet"
                aria-label={t('Remove {name}', { name: channelName(model, id) })}
                onPress={() => void action.run(() => removeDefaultChannel(connection, { stream_id: id }))}
              >
                {t('Remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </FormSection>
  );
}
