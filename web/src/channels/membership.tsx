import { subscribe, unsubscribe } from '@heddle/client/calls/operations.ts';
import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { Button } from '../design/button.tsx';
import { ConfirmDialog } from '../design/dialog.tsx';
import { useAction } from '../settings/saving.ts';
import { problemText } from '../shown/problem-text.ts';

/** Joins or leaves a channel. Leaving a channel that the user could not join again asks first. */
export function MembershipButton({ channel }: { readonly channel: ChannelRecord }): ReactNode {
  const { model, connection, navigation } = useApp();
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
    return isDone;
  };
  // The channel leaves the list of those that one can join, so the notice says where it is.
  const join = async () => {
    if (!(await run(() => subscribe(connection, { subscriptions: [{ name }] })))) return;
    const narrow = [{ operator: 'channel', operand: channel.id }];
    const open = { label: t('Open'), run: () => navigation.go({ view: 'narrow', narrow }) };
    toasts.show({ text: t('You joined #{name}', { name }), action: open, key: 'membership' });
  };
  if (!channel.isSubscribed) {
    if (channel.isArchived || !model.permissions.channels.subscribe(channel).allowed) return null;
    return (
      <Button
        size="small"
        isPending={action.isPending}
        aria-label={t('Join {channel}', { channel: name })}
        onPress={() => void join()}
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
        title={t('Leave #{name}?', { name })}
        isOpen={isAsking}
        onOpenChange={setAsking}
        confirmLabel={t('Leave channel')}
        onConfirm={leave}
        isDanger
        isPending={action.isPending}
        error={action.problem}
      >
        {t('This channel is private. You cannot read it any more, and somebody has to add you before you can return.')}
      </ConfirmDialog>
    </>
  );
}
