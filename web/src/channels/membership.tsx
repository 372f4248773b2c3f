import { subscribe, unsubscribe } from '@heddle/client/calls/operations.ts';
import type { ChannelRecord } from '@heddle/client/model/channel-record.ts';
import { type ReactNode, useState } from 'react';
import { Button } from '../design/button.tsx';
import { ConfirmDialog } from '../design/dialog.tsx';
import { toasts } from '../design/toasts.ts';
import { problemText, useAction } from '../settings/saving.ts';
import { useApp } from '../shell/app.tsx';
import { t } from '../shell/i18n.ts';

/** Joins or leaves a channel. Leaving a channel that the user could not join again asks first. */
export function MembershipButton({ channel }: { readonly channel: ChannelRecord }): ReactNode {
  const { model, connection } = useApp();
  const [isAsking, setAsking] = useState(false);
  const action = useAction();
  const { name } = channel;
  const run = async (request: () => Promise<unknown>) => {
    const isDone = await action.run(async () => {
      try {
        await request();
      } catch (error) {
        toasts.show({ kind: 'error', text: problemText(error), key: 'membership' });
        throw error;
      }
    });
    if (isDone) setAsking(false);
  };
  if (!channel.isSubscribed) {
    if (channel.isArchived || !model.permissions.channels.subscribe(channel).allowed) return null;
    return (
      <Button
        size="small"
        isPending={action.isPending}
        aria-label={t('Join {channel}', { channel: name })}
        onPress={() => void run(() => subscribe(connection, { subscriptions: [{ name }] }))}
      >
        {t('Join')}
      </Button>
    );
  }
  const leave = () => void run(() => unsubscribe(connection, { subscriptions: [name] }));
  const isFinal = channel.isPrivate;
  return (
    <>
      <Button
        size="small"
        kind="quiet"
        isPending={action.isPending}
        aria-label={t('Leave {channel}', { channel: name })}
        onPress={() => (isFinal ? setAsking(true) : leave())}
      >
        {t('Leave')}
      </Button>
      <ConfirmDialog
        title={t('Leave {channel}?', { channel: name })}
        isOpen={isAsking}
        onOpenChange={setAsking}
        confirmLabel={t('Leave')}
        onConfirm={leave}
        isDanger
        isPending={action.isPending}
        error={action.problem}
      >
        {t('This channel is private. You can come back only if somebody adds you.')}
      </ConfirmDialog>
    </>
  );
}
