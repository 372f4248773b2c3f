import { subscribe, unsubscribe, updateSubscriptionSettings } from '@heddle/client/calls/operations.ts';
import { SUBSCRIPTION_SETTINGS } from '@heddle/client/model/channel-settings.ts';
import type { ChannelRecord, SubscriptionSettings } from '@heddle/client/model/channels/channel-record.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { problemText } from '../shown/problem-text.ts';

type SettingName = keyof typeof SUBSCRIPTION_SETTINGS;

/** Changes an own setting of a channel: at once here, and taken back if the server refuses it. */
export async function changeSubscription<Property extends SettingName>(
  app: App,
  channelId: number,
  property: Property,
  value: NonNullable<SubscriptionSettings[(typeof SUBSCRIPTION_SETTINGS)[Property]]>,
): Promise<void> {
  const settings = app.model.channels.get(channelId)?.settings;
  if (settings === undefined || settings === null) return;
  const before = settings[SUBSCRIPTION_SETTINGS[property]];
  apply(app, channelId, property, value);
  try {
    const subscription_data = [{ stream_id: channelId, property, value }];
    await updateSubscriptionSettings(app.connection, { subscription_data }, { retries: 2 });
  } catch (error) {
    apply(app, channelId, property, before);
    failed(error);
  }
}

function apply({ model }: App, channelId: number, property: string, value: boolean | string | null): void {
  model.apply({ id: -1, type: 'subscription', op: 'update', stream_id: channelId, property, value });
}

/** Leaves a channel. The notice offers to undo it. */
export async function leaveChannel(app: App, channel: ChannelRecord): Promise<void> {
  const { id, name } = channel;
  try {
    await unsubscribe(app.connection, { subscriptions: [name] });
    const canReturn = app.model.permissions.channels.subscribe(app.model.channels.get(id) ?? channel).allowed;
    const action = { label: t('Undo'), run: () => void joinChannel(app, channel) };
    toasts.show({ text: t('You left #{name}', { name }), key: 'subscription', ...(canReturn && { action }) });
  } catch (error) {
    failed(error);
  }
}

export async function joinChannel({ connection }: App, { name }: ChannelRecord): Promise<void> {
  try {
    await subscribe(connection, { subscriptions: [{ name }] });
    toasts.show({ text: t('You are subscribed to #{name}', { name }), key: 'subscription' });
  } catch (error) {
    failed(error);
  }
}

function failed(error: unknown): void {
  const text = t('The channel was not changed. {problem}', { problem: problemText(error) });
  toasts.show({ text, kind: 'error', key: 'subscription' });
}
