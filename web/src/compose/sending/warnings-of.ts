import { getSubscriptionStatus, subscribe } from '@heddle/client/calls/operations.ts';
import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import { isResolved, keyOf, type Place, type TopicPlace } from '@heddle/client/model/messages/places.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import type { App } from '../../base/app.tsx';
import { excessOf } from '../../base/excess.ts';
import { t } from '../../base/i18n.ts';
import { formatNumber } from '../../base/i18n-formats.ts';
import { permissionToWrite, reasonAgainstPosting, reasonAgainstWritingDirectly } from '../../shown/writing-refusals.ts';
import { type Mentions, mentionsIn } from '../text/mentions.ts';
import { unresolve } from './unresolving.ts';
import type { Warning } from './warning.ts';

/** Mentions that notify more people than this need a confirmation. */
const MAX_PEOPLE_WITHOUT_CONFIRMATION = 15;

export interface Written {
  readonly place: Place | undefined;
  readonly text: string;
  readonly hasFailedUpload: boolean;
}

/** Everything that the user should know before the message is sent. The most important warning is first. */
export function warningsOf(app: App, { place, text, hasFailedUpload }: Written): readonly Warning[] {
  const { limits } = app.model.organization;
  const warnings: Warning[] = [];
  if (place === undefined) {
    warnings.push(error('target', t('Choose where the message goes.'), { isShownLater: true }));
  } else if (place.kind === 'direct') warnings.push(...aboutDirect(app, place));
  else warnings.push(...aboutTopic(app, place, text));
  const limit = limits.message_length;
  if (excessOf(text, limit) > 0) {
    const values = { length: formatNumber([...text].length), limit: formatNumber(limit) };
    const reason = t('The message has {length} characters. The limit is {limit}.', values);
    warnings.push(error('length', reason, { isBesideButton: true }));
  }
  if (hasFailedUpload) {
    const reason = t('A file was not uploaded. Try again, or remove it.');
    warnings.push(error('uploads', reason, { isShownLater: true }));
  }
  return warnings;
}

function error(key: string, text: string, more: Partial<Warning> = {}): Warning {
  return { key, kind: 'error', text, stopsSending: true, ...more };
}

function aboutDirect({ model }: App, place: Extract<Place, { kind: 'direct' }>): Warning[] {
  const result = permissionToWrite(model, place);
  if (result.allowed) return [];
  return [error('permission', reasonAgainstWritingDirectly(result), { blocksWriting: true })];
}

function aboutTopic(app: App, place: TopicPlace, text: string): Warning[] {
  const { model, connection } = app;
  const channel = model.channels.get(place.channelId);
  if (channel === undefined) return [error('permission', t('You cannot see this channel.'), { blocksWriting: true })];
  const { channels: permissions } = model.permissions;
  const post = permissionToWrite(model, place);
  if (!post.allowed) {
    const canJoin = post.reason === 'not subscribed' && permissions.subscribe(channel).allowed;
    const join = {
      label: t('Subscribe'),
      run: async () => void (await subscribe(connection, { subscriptions: [{ name: channel.name }] })),
    };
    const actions = canJoin ? [join] : [];
    return [error('permission', reasonAgainstPosting(post), { blocksWriting: true, actions })];
  }
  const warnings: Warning[] = [];
  const topic = permissions.topic(channel, place.topic);
  if (!topic.allowed) {
    const isRequired = topic.reason === 'topic required';
    const reason = isRequired
      ? t('Messages in this channel need a topic.')
      : t('This channel has no topics. Leave the topic empty.');
    warnings.push(error('topic', reason, { isShownLater: isRequired }));
  }
  if (text.trim() === '') return warnings;
  const mentions = mentionsIn(text);
  warnings.push(...aboutMany(app, channel, place, mentions), ...aboutAbsent(app, channel, mentions));
  if (isResolved(place.topic)) warnings.push(aboutResolved(app, channel, place));
  return warnings;
}

/** Mentions that notify many people. */
function aboutMany({ model }: App, channel: ChannelRecord, place: TopicPlace, mentions: Mentions): Warning[] {
  const { channels: permissions } = model.permissions;
  const warnings: Warning[] = [];
  const confirm = [{ label: t('Send anyway'), run: () => undefined, sends: true }];
  const many = (name: string, count: number): void => {
    if (count <= MAX_PEOPLE_WITHOUT_CONFIRMATION) return;
    const text = t('{name} notifies {count, plural, one {# person} other {# people}}.', { name, count });
    warnings.push({ key: `many ${name}`, kind: 'warning', text, stopsSending: true, actions: confirm });
  };
  if (mentions.mentionsChannel) {
    if (permissions.mentionAll(channel).allowed) many('@all', channel.subscriberCount);
    else warnings.push(error('wildcard', t('You are not allowed to mention everyone in this channel.')));
  }
  if (mentions.mentionsTopic) {
    const participants = model.cache.recent.of(place)?.senderIds.length ?? 0;
    if (permissions.mentionTopic(participants).allowed) many('@topic', participants);
    else warnings.push(error('wildcard', t('You are not allowed to mention everyone in this topic.')));
  }
  for (const name of mentions.groups) {
    const group = model.groups.byName(name);
    if (group !== undefined) many(`@${name}`, model.groups.membersOf(group.id).size);
  }
  return warnings;
}

/** Mentioned people who do not see the channel in their app. */
function aboutAbsent(app: App, channel: ChannelRecord, { people }: Mentions): Warning[] {
  const { model, connection } = app;
  const canAdd = model.permissions.channels.addSubscribers(channel).allowed;
  return people.slice(0, MAX_PEOPLE_WITHOUT_CONFIRMATION).flatMap((name) => {
    const user = userOf(app, name);
    if (user === undefined || isSubscriber(app, channel.id, user.id) !== false) return [];
    const values = { name: user.name, channel: channel.name };
    const add = {
      label: t('Subscribe {name}', { name: user.name }),
      run: async () => {
        await subscribe(connection, { subscriptions: [{ name: channel.name }], principals: [user.id] });
      },
    };
    const text = channel.isPrivate
      ? t('{name} is not subscribed to #{channel} and cannot see the message.', values)
      : t('{name} is not subscribed to #{channel} and will not be notified.', values);
    const key = `absent ${channel.id} ${user.id}`;
    return [{ key, kind: 'warning', text, isDismissable: true, actions: canAdd ? [add] : [] }];
  });
}

/** `Ada`, or `Ada|12` if several people have the name. */
function userOf({ model }: App, name: string): UserRecord | undefined {
  const [, id] = /\|(\d+)$/.exec(name) ?? [];
  if (id !== undefined) return model.users.get(Number(id));
  const found = model.users.byName(name).filter(({ isActive }) => isActive);
  return found.length === 1 ? found[0] : undefined;
}

/** Questions to the server that have been asked, by channel and user. */
const asked = new Map<string, boolean | undefined>();

/** Whether the user is subscribed. If the client does not know, it asks the server, and answers later. */
function isSubscriber({ model, connection }: App, channelId: number, userId: number): boolean | undefined {
  const known = model.channels.isSubscriber(channelId, userId);
  if (known !== undefined) return known;
  const key = `${channelId} ${userId}`;
  if (!asked.has(key)) {
    asked.set(key, undefined);
    getSubscriptionStatus(connection, { user_id: userId, stream_id: channelId }).then(
      ({ is_subscribed }) => {
        asked.set(key, is_subscribed);
        model.channels.changes.changed();
      },
      () => asked.delete(key),
    );
  }
  return asked.get(key);
}

function aboutResolved(app: App, channel: ChannelRecord, place: TopicPlace): Warning {
  const canResolve = app.model.permissions.messages.resolve(channel).allowed;
  const actions = canResolve ? [{ label: t('Mark as unresolved'), run: () => unresolve(app, place) }] : [];
  const text = t('This topic is marked as resolved.');
  return { key: `resolved ${keyOf(place)}`, kind: 'info', text, isDismissable: true, actions };
}
