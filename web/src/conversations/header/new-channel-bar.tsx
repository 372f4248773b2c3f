import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { composeStore } from '../../compose/compose-store.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { InviteIcon, NewMessageIcon } from '../../design/icons.ts';
import styles from './header.module.css';

interface NewChannelBarProps {
  readonly channel: ChannelRecord;
  readonly onDismiss: () => void;
}

/** The next steps in a new channel. */
export function NewChannelBar({ channel, onDismiss }: NewChannelBarProps): ReactNode {
  const { model, navigation } = useApp();
  const { id: channelId, name } = channel;
  const { channels } = model.permissions;
  const begin = () => composeStore.open({ place: undefined, kind: 'topic', channelId });
  return (
    <Banner
      kind="success"
      isBar
      onDismiss={onDismiss}
      action={
        <span className={styles.newChannel}>
          {channels.addSubscribers(channel).allowed && (
            <Button
              size="small"
              icon={InviteIcon}
              onPress={() => navigation.go({ view: 'channel', channelId, tab: 'subscribers' })}
            >
              {t('Add people')}
            </Button>
          )}
          {channels.post(channel).allowed && (
            <Button size="small" icon={NewMessageIcon} onPress={begin}>
              {t('Start a topic')}
            </Button>
          )}
        </span>
      }
    >
      {t('#{channel} is new. What comes next?', { channel: name })}
    </Banner>
  );
}
