/**
 * Creation of channels, metadata access and subscriptions, for the operations of the property tests. Users, channels
 * and groups are given by number.
 */

import type { Change } from '../../directory/organization.ts';
import type { ChannelVisibility } from '../../domain/channels/visibility.ts';
import type { Fields } from '../clients/client.ts';
import { fc } from '../random/property.ts';
import { changeVisibility } from '../server/channel-visibility.ts';

export type Subscribing =
  | {
      readonly do: 'create';
      readonly who: number;
      readonly channel: number;
      readonly isPrivate: boolean;
      readonly isDefault: boolean;
      /** The group that may subscribe to the channel, or none if undefined. */
      readonly joinedBy: number | undefined;
    }
  | {
      readonly do: 'subscribe' | 'unsubscribe';
      readonly who: number;
      readonly whom: readonly number[];
      readonly channel: number;
    }
  | { readonly do: 'set'; readonly who: number; readonly channel: number; readonly setting: Setting }
  | { readonly do: 'show'; readonly channel: number; readonly visibility: ChannelVisibility };

type Setting = readonly [property: string, value: unknown];

const setting: fc.Arbitrary<Setting> = fc.oneof(
  fc.tuple(
    fc.constantFrom('pin_to_top', 'is_muted', 'audible_notifications', 'wildcard_mentions_notify'),
    fc.boolean(),
  ),
  fc.tuple(fc.constant('color'), fc.constantFrom('#aabbcc', '#123456')),
);

interface Arbitraries {
  readonly who: fc.Arbitrary<number>;
  readonly whom: fc.Arbitrary<number[]>;
  readonly channel: fc.Arbitrary<number>;
  readonly group: fc.Arbitrary<number>;
}

export function subscribing({ who, whom, channel, group }: Arbitraries) {
  const create: fc.Arbitrary<Subscribing> = fc.record({
    do: fc.constant('create' as const),
    who,
    channel,
    isPrivate: fc.boolean(),
    isDefault: fc.nat(3).map((n) => n === 0),
    joinedBy: fc.option(group, { nil: undefined }),
  });
  const show: fc.Arbitrary<Subscribing> = fc.record({
    do: fc.constant('show' as const),
    channel,
    visibility: fc.constantFrom('web-public', 'public', 'public', 'private', 'private', 'protected'),
  });
  return [
    { weight: 3, arbitrary: create },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('subscribe' as const), who, whom, channel }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), who, whom, channel }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('set' as const), who, channel, setting }) },
    { weight: 3, arbitrary: show },
  ];
}

const SUBSCRIPTIONS = '/users/me/subscriptions';

/** The names and ids that the operations stand for in a run. */
interface Naming {
  /** The channel's name. */
  readonly channel: string;
  /** 0 if the acting user does not know the channel. */
  channelId(): Promise<number>;
  ids(people: readonly number[]): readonly number[];
  group(index: number): number;
  /** Sends a request as the acting user. */
  call(method: string, path: string, fields: Fields): Promise<unknown>;
  /** Refusals count like successes. */
  change(act: (change: Change) => Promise<unknown>): Promise<void>;
}

/** Performs the operation. Ignores refusals. */
export async function performSubscribing(operation: Subscribing, naming: Naming): Promise<void> {
  const { channel: name, channelId, ids, group, call, change } = naming;
  switch (operation.do) {
    case 'create': {
      const is_default_stream = operation.isDefault && !operation.isPrivate;
      const can_subscribe_group = operation.joinedBy === undefined ? undefined : group(operation.joinedBy);
      const more = { invite_only: operation.isPrivate, is_default_stream, can_subscribe_group };
      await call('POST', SUBSCRIPTIONS, { subscriptions: [{ name }], ...more });
      break;
    }
    case 'subscribe':
    case 'unsubscribe': {
      const principals = ids(operation.whom);
      const joins = operation.do === 'subscribe';
      const subscriptions = [joins ? { name } : name];
      await call(joins ? 'POST' : 'DELETE', SUBSCRIPTIONS, { subscriptions, principals });
      break;
    }
    case 'set': {
      const [property, value] = operation.setting;
      const subscription_data = [{ stream_id: await channelId(), property, value }];
      await call('POST', `${SUBSCRIPTIONS}/properties`, { subscription_data });
      break;
    }
    case 'show':
      await change(async (open) => {
        const channel = open.directory.channelByName(name);
        if (channel !== undefined) await changeVisibility(open, channel, operation.visibility);
      });
  }
}
