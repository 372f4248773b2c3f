import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import type { CSSProperties, ReactNode } from 'react';
import { ArchiveIcon, ChannelIcon, PrivateIcon, PublicIcon } from '../design/icons.ts';
import styles from './marks.module.css';

type Shown = Pick<ChannelRecord, 'isPrivate' | 'isWebPublic' | 'isArchived' | 'settings'>;

/** The icon of a channel in its colour: who can read it. It is decoration beside the name. */
export function ChannelMark({ channel }: { channel: Shown | undefined }): ReactNode {
  const Icon = channel?.isArchived
    ? ArchiveIcon
    : channel?.isPrivate
      ? PrivateIcon
      : channel?.isWebPublic
        ? PublicIcon
        : ChannelIcon;
  const colour = channel?.settings?.color;
  const style = colour === undefined ? undefined : ({ '--channel': colour } as CSSProperties);
  return <Icon aria-hidden="true" className={styles.channel} style={style} />;
}
