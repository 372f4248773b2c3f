/**
 * What the initial state says beyond the model: fields for older clients, and constants of the server. Each is one value
 * with a path. An event gives it a new value, so this is not a second model.
 */
import assert from 'node:assert/strict';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import type { Channel, EventOfType, InitialState, ServerEvent } from '../src/calls/types.ts';
import { isPlaceholder } from '../src/model/people/user-record.ts';

/** Fields of the initial state that the model holds, or that only this registration has. */
const HELD = new Set([
  ...['queue_id', 'last_event_id', 'server_timestamp', 'result', 'msg'],
  ...['user_id', 'email', 'delivery_email', 'full_name', 'is_owner', 'is_admin', 'is_moderator', 'is_guest'],
  ...['avatar_source', 'avatar_url', 'avatar_url_medium', 'user_settings', 'onboarding_steps'],
  ...['realm_users', 'realm_non_active_users', 'cross_realm_bots', 'realm_bots', 'realm_user_groups'],
  ...['custom_profile_fields', 'muted_users', 'user_status', 'presences', 'presence_last_update_id'],
  ...['streams', 'subscriptions', 'unsubscribed', 'never_subscribed', 'channel_folders', 'user_topics'],
  ...['realm_default_streams', 'realm_user_settings_defaults', 'realm_domains', 'realm_linkifiers'],
  ...['realm_playgrounds', 'realm_emoji', 'unread_msgs', 'starred_messages', 'recent_private_conversations'],
  ...['drafts', 'scheduled_messages', 'reminders', 'saved_snippets', 'alert_words', 'navigation_views'],
  ...['service_version', 'service_merge_base', 'service_feature_level', 'max_message_id'],
  // Older clients identify channels by name here, and receive no event when they lose one.
  'muted_topics',
  // Computed from the groups of the user. `checkDerived` compares them.
  ...['can_create_streams', 'can_create_public_streams', 'can_create_private_streams'],
  ...['can_create_web_public_streams', 'can_subscribe_other_users', 'can_invite_others_to_realm'],
]);

/** Those with a prefix that the model holds, as in `Organization`. The others are lists that are always empty. */
const isOfOrganization = (name: string) =>
  /^(server|max|password)_/.test(name) || (name.startsWith('realm_') && !ALWAYS_EMPTY.has(name));
const ALWAYS_EMPTY = new Set([
  'realm_embedded_bots',
  'realm_incoming_webhook_bots',
  'realm_default_stream_groups',
  'realm_filters',
]);

/** Fields of a channel for older clients. They repeat `can_send_message_group`. */
const OLDER = ['stream_post_policy', 'is_announcement_only'] as const;
const isOlder = (name: string) => OLDER.some((one) => one === name);

/** A device that has not registered for push notifications. */
const NEW_DEVICE = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

/** The fields of the state for these types of events. A client can receive events without having fetched the state. */
const FIELDS: Readonly<Record<string, keyof InitialState>> = {
  stream: 'streams',
  subscription: 'subscriptions',
  realm_user: 'realm_users',
  device: 'devices',
  push_device: 'push_devices',
  reminders: 'reminders',
};

export class Remainder {
  readonly #values = new Map<string, unknown>();
  readonly #fetched: ReadonlySet<string>;
  readonly #wantsPlaceholders: boolean;

  /** @param wantsPlaceholders whether the client receives placeholders for inaccessible users */
  constructor(state: InitialState, wantsPlaceholders: boolean) {
    this.#fetched = new Set(Object.keys(state));
    this.#wantsPlaceholders = wantsPlaceholders;
    for (const [name, value] of Object.entries<Json>(state as Json)) {
      if (name === 'devices' || name === 'push_devices') {
        for (const [id, device] of Object.entries(value)) this.#values.set(`${name} ${id}`, device);
      } else if (!HELD.has(name) && !isOfOrganization(name)) this.#values.set(name, value);
      // Each field of the state exists for the whole time.
      else this.#values.set(`has ${name}`, true);
    }
    for (const list of [state.streams, state.never_subscribed, state.unsubscribed, state.subscriptions]) {
      for (const channel of list ?? []) this.#addChannel(channel);
    }
    for (const one of state.subscriptions ?? []) this.#values.set(`home view ${one.stream_id}`, one.in_home_view);
    for (const user of state.realm_users ?? []) if (isPlaceholder(user)) this.#values.set(`hidden ${user.user_id}`, '');
    for (const { reminder_id: id, to } of state.reminders ?? []) this.#values.set(`reminder ${id}`, to);
  }

  apply(event: ServerEvent): void {
    if (!this.#fetched.has(FIELDS[event.type] ?? 'queue_id')) return;
    switch (event.type) {
      case 'stream':
        this.#applyChannel(event);
        break;
      case 'subscription':
        this.#applySubscription(event);
        break;
      case 'realm_user':
        this.#applyUser(event);
        break;
      case 'update_display_settings':
        this.#change(event.setting_name, event.setting);
        break;
      case 'update_global_notifications':
        this.#change(event.notification_name, event.setting);
        break;
      case 'device':
        if (event.op === 'remove') this.#remove(`devices ${event.device_id}`);
        else this.#add(`devices ${event.device_id}`, NEW_DEVICE);
        break;
      case 'push_device': {
        const { push_account_id: id, status, error_code = null } = event as Json;
        assert.equal(status === 'failed', error_code !== null, 'what has failed says why');
        this.#values.set(`push_devices ${id}`, { status, error_code });
        break;
      }
      case 'reminders':
        if (event.op === 'remove') this.#remove(`reminder ${event.reminder_id}`);
        else for (const { reminder_id: id, to } of event.reminders) this.#add(`reminder ${id}`, to);
        break;
      case 'restart':
        for (const name of ['zulip_version', 'zulip_merge_base', 'zulip_feature_level'] as const) {
          this.#values.set(name, event[name]);
        }
    }
  }

  #addChannel(channel: Channel): void {
    for (const name of OLDER) this.#values.set(`${name} ${channel.stream_id}`, channel[name]);
  }

  #applyChannel(event: EventOfType<'stream'>): void {
    if (event.op === 'create') for (const channel of event.streams) this.#addChannel(channel);
    else if (event.op === 'update') {
      if (isOlder(event.property)) this.#change(`${event.property} ${event.stream_id}`, event.value);
    } else {
      for (const id of event.stream_ids) {
        for (const name of [...OLDER, 'home view']) this.#values.delete(`${name} ${id}`);
      }
    }
  }

  #applySubscription(event: EventOfType<'subscription'>): void {
    if (event.op === 'add') {
      for (const one of event.subscriptions) {
        this.#addChannel(one);
        this.#add(`home view ${one.stream_id}`, one.in_home_view);
      }
    } else if (event.op === 'remove') {
      for (const { stream_id: id } of event.subscriptions) this.#remove(`home view ${id}`);
    } else if (event.op === 'update' && event.property === 'in_home_view') {
      this.#change(`home view ${event.stream_id}`, event.value);
    }
  }

  #applyUser(event: EventOfType<'realm_user'>): void {
    if (event.op === 'update') return;
    const isHidden = event.op === 'remove' ? this.#wantsPlaceholders : isPlaceholder(event.person);
    if (isHidden) this.#values.set(`hidden ${event.person.user_id}`, '');
    else this.#values.delete(`hidden ${event.person.user_id}`);
  }

  #add(path: string, value: unknown): void {
    assert(!this.#values.has(path), `${path} is new to the client`);
    this.#values.set(path, value);
  }

  #change(path: string, value: unknown): void {
    assert(this.#values.has(path), `the client knows ${path}`);
    this.#values.set(path, value);
  }

  #remove(path: string): void {
    assert(this.#values.delete(path), `the client knows ${path}`);
  }

  /** The content in comparable form. */
  plain(): object {
    return Object.fromEntries([...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
