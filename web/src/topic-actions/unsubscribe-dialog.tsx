import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { ConfirmDialog } from '../design/dialog.tsx';
import { leaveChannel } from './channel-settings.ts';

interface Props {
  readonly channelId: number;
  readonly onClose: () => void;
}

/** Asks before the user leaves a private channel. */
export default function UnsubscribeDialog({ channelId, onClose }: Props): ReactNode {
  const app = useApp();
  const channel = app.model.channels.get(channelId);
  if (channel === undefined) return null;
  return (
    <ConfirmDialog
      title={t('Leave #{name}?', { name: channel.name })}
      isOpen
      onOpenChange={onClose}
      confirmLabel={t('Leave channel')}
      isDanger
      onConfirm={() => {
        onClose();
        void leaveChannel(app, channel);
      }}
    >
      <p>
        {t('This channel is private. You cannot read it any more, and somebody has to add you before you can return.')}
      </p>
    </ConfirmDialog>
  );
}
