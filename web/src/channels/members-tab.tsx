import { getSubscribers, subscribe, unsubscribe } from '@heddle/client/calls/operations.ts';
import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges, useKeyedChanges } from '../base/use-changes.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { Spinner } from '../design/spinner.tsx';
import { MemberList } from '../settings/member-list.tsx';
import { PeoplePicker } from '../settings/pickers.tsx';
import { refusalText } from '../settings/reasons.ts';
import { useAction } from '../settings/saving.ts';
import settings from '../settings/settings.module.css';

/** Who is subscribed. Adds and removes people. */
export function MembersTab({ channel }: { readonly channel: ChannelRecord }): ReactNode {
  const { model, connection } = useApp();
  const { channels, permissions } = model;
  const changes = useKeyedChanges(channels.changesOf, channel.id);
  useChanges(changes);
  const loading = useAction();
  const removal = useAction();
  const { ids, isComplete } = channels.subscribersOf(channel.id);
  const { run } = loading;
  useEffect(() => {
    if (isComplete) return;
    void run(async () => {
      const { subscribers } = await getSubscribers(connection, { stream_id: channel.id });
      channels.setSubscribers(channel.id, subscribers);
    });
  }, [run, connection, channels, channel.id, isComplete]);
  const remove = (userId: number) =>
    void removal.run(() => unsubscribe(connection, { subscriptions: [channel.name], principals: [userId] }));
  const canRemove = permissions.channels.removeSubscribers(channel).allowed;
  return (
    <>
      <AddMembers channel={channel} />
      {loading.problem !== undefined && <Banner kind="error">{loading.problem}</Banner>}
      {removal.problem !== undefined && <Banner kind="error">{removal.problem}</Banner>}
      {!isComplete && loading.isPending && <Spinner label={t('Loading members')} />}
      <MemberList
        label={t('Members of {channel}', { channel: channel.name })}
        userIds={ids}
        changes={changes}
        canRemove={(userId) => canRemove || userId === model.ownId}
        onRemove={remove}
      />
    </>
  );
}

function AddMembers({ channel }: { readonly channel: ChannelRecord }): ReactNode {
  const { model, connection } = useApp();
  const [userIds, setUserIds] = useState<readonly number[]>([]);
  const action = useAction();
  const refusal = refusalText(model, model.permissions.channels.addSubscribers(channel));
  if (channel.isArchived) return null;
  if (refusal !== undefined) return <p className={settings.quiet}>{refusal}</p>;
  const add = async () => {
    const request = () => subscribe(connection, { subscriptions: [{ name: channel.name }], principals: userIds });
    if (await action.run(request)) setUserIds([]);
  };
  return (
    <>
      <div className={settings.bar}>
        <PeoplePicker
          label={t('Add people')}
          placeholder={t('People or groups')}
          value={userIds}
          onChange={setUserIds}
          accepts={({ id }) => model.channels.isSubscriber(channel.id, id) !== true}
        />
        <Button
          kind="primary"
          isDisabled={userIds.length === 0}
          isPending={action.isPending}
          onPress={() => void add()}
        >
          {t('Add')}
        </Button>
      </div>
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
    </>
  );
}
