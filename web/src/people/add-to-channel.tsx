import { subscribe } from '@heddle/client/calls/operations.ts';
import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { matcherOf } from '../base/text-filter.ts';
import { toasts } from '../base/toasts.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { ComboBox } from '../design/combo-box.tsx';
import { Dialog } from '../design/dialog.tsx';
import { userName } from '../shown/names.ts';
import { problemText } from '../shown/problem-text.ts';

/** How many channels the list shows at once. */
const MAX_OPTIONS = 50;

interface Props {
  readonly userId: number;
  readonly onClose: () => void;
}

/** Subscribes a person to a channel. Offers only channels to which the user may add people. */
export function AddToChannelDialog({ userId, onClose }: Props): ReactNode {
  const { model, connection } = useApp();
  const [channel, setChannel] = useState<ChannelRecord>();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const name = userName(model, userId);
  const [possible] = useState(() => channelsFor(model, userId));

  async function add(): Promise<void> {
    if (channel === undefined) return;
    setPending(true);
    setProblem(undefined);
    try {
      await subscribe(connection, { subscriptions: [{ name: channel.name }], principals: [userId] });
      toasts.show({ text: t('{name} is now in #{channel}', { name, channel: channel.name }) });
      onClose();
    } catch (error) {
      setProblem(problemText(error));
      setPending(false);
    }
  }

  return (
    <Dialog
      title={t('Add {name} to a channel', { name })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      size="small"
      footer={
        <>
          <Button onPress={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" isDisabled={channel === undefined} isPending={isPending} onPress={() => void add()}>
            {t('Add')}
          </Button>
        </>
      }
    >
      {problem !== undefined && <Banner kind="error">{problem}</Banner>}
      {possible.length === 0 ? (
        <p>{t('There is no channel to which you can add this person.')}</p>
      ) : (
        <ComboBox
          label={t('Channel')}
          value={channel === undefined ? null : { key: String(channel.id), label: channel.name }}
          onChange={(key) => setChannel(key === null ? undefined : model.channels.get(Number(key)))}
          search={(text) => {
            const matches = matcherOf(text);
            return possible
              .filter((one) => matches(one.name))
              .slice(0, MAX_OPTIONS)
              .map((one) => ({ key: String(one.id), label: one.name }));
          }}
          autoFocus
        />
      )}
    </Dialog>
  );
}

/** The channels to which the user may add this person, by name. */
function channelsFor(model: Model, userId: number): readonly ChannelRecord[] {
  const { channels } = model.permissions;
  const mayAdd = (channel: ChannelRecord) =>
    (userId === model.ownId ? channels.subscribe(channel) : channels.addSubscribers(channel)).allowed;
  return [...model.channels.all.values()]
    .filter((one) => !one.isArchived && model.channels.isSubscriber(one.id, userId) !== true && mayAdd(one))
    .sort((a, b) => a.name.localeCompare(b.name));
}
