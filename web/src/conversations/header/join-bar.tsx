import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { focusView } from '../../frame/kept-focus.ts';
import { joinChannel } from '../../topic-actions/channel-settings.ts';

/** Says that the user reads a channel without having joined it, and offers to join. */
export function JoinBar({ channel }: { readonly channel: ChannelRecord }): ReactNode {
  const { permissions, account } = useApp().model;
  useChanges(permissions.changes);
  if (channel.isSubscribed || channel.isArchived || account.isSpectator) return null;
  if (permissions.channels.contentAccess(channel) === 'none') return null;
  return <Bar channel={channel} canJoin={permissions.channels.subscribe(channel).allowed} />;
}

function Bar({ channel, canJoin }: { readonly channel: ChannelRecord; readonly canJoin: boolean }): ReactNode {
  const app = useApp();
  const [isPending, setPending] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    return () => {
      // The button goes, and its focus must not be lost.
      if (element?.contains(document.activeElement)) focusView();
    };
  }, []);
  const join = async () => {
    setPending(true);
    await joinChannel(app, channel);
    setPending(false);
  };
  return (
    <div ref={bar}>
      <Banner
        isBar
        action={
          canJoin && (
            <Button kind="primary" size="small" isPending={isPending} onPress={() => void join()}>
              {t('Join')}
            </Button>
          )
        }
      >
        {canJoin ? t('You have not joined this channel.') : t('You read this channel without being a member.')}
      </Banner>
    </div>
  );
}
