import type { ReactNode } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChangesOf } from '../../base/use-changes.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { BackIcon } from '../../design/icons.ts';
import { ChannelMark } from '../../shown/channel-mark.tsx';
import { channelName } from '../../shown/names.ts';
import styles from './sidebar.module.css';
import { Topics } from './topics.tsx';

interface TopicsPaneProps {
  readonly channelId: number;
  readonly onClose: () => void;
}

/** All topics of a channel. It takes the place of the conversations until the user goes back. */
export default function TopicsPane({ channelId, onClose }: TopicsPaneProps): ReactNode {
  const model = useModel();
  useChangesOf(model.channels.changesOf, channelId);
  return (
    <>
      <div className={styles.paneHeader}>
        <IconButton
          icon={BackIcon}
          label={t('Back to all conversations')}
          onPress={onClose}
          size="small"
          placement="bottom"
        />
        <ChannelMark channel={model.channels.get(channelId)} />
        <h2 className={styles.paneTitle}>{channelName(model, channelId)}</h2>
      </div>
      <Topics channelId={channelId} onEscape={onClose} />
    </>
  );
}
