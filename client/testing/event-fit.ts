/**
 * Whether an event fits what the client knows. The model tolerates an event that repeats what it knows, or that is about
 * something unknown. A correct server sends none.
 */
import assert from 'node:assert/strict';
import type { EventOfType, EventType, InitialState, ServerEvent } from '../src/calls/types.ts';
import { changedByUpdate } from '../src/model/channels/channel-record.ts';
import type { Model } from '../src/model/model.ts';

/** The field of the initial state that an event changes. Without it the client does not know what fits. */
const FIELDS: Partial<Record<EventType, keyof InitialState>> = {
  stream: 'streams',
  subscription: 'subscriptions',
  channel_folder: 'channel_folders',
  realm: 'realm_name',
  realm_user: 'realm_users',
  realm_user_settings_defaults: 'realm_user_settings_defaults',
  realm_domains: 'realm_domains',
  user_group: 'realm_user_groups',
  user_settings: 'user_settings',
  user_topic: 'user_topics',
  muted_topics: 'user_topics',
  drafts: 'drafts',
  saved_snippets: 'saved_snippets',
  scheduled_messages: 'scheduled_messages',
  reminders: 'reminders',
  navigation_view: 'navigation_views',
};

/** Older clients receive these, which the model ignores. `Remainder` checks them, or nothing follows from them. */
const IGNORED: readonly EventType[] = [
  ...(['device', 'push_device', 'muted_topics', 'update_display_settings', 'update_global_notifications'] as const),
  ...(['typing_edit_message', 'heartbeat'] as const),
];

export class EventFit {
  readonly #model: Model;
  readonly #fetched: ReadonlySet<string>;
  readonly #isHidden: (channelId: number) => boolean;

  /** @param isHidden whether the client may have missed events about the topics of a channel */
  constructor(model: Model, state: InitialState, isHidden: (channelId: number) => boolean) {
    this.#model = model;
    this.#fetched = new Set(Object.keys(state));
    this.#isHidden = isHidden;
  }

  /** Call this before the model applies the event. */
  check(event: ServerEvent): void {
    const field = FIELDS[event.type];
    if (field !== undefined && !this.#fetched.has(field)) return;
    this.#checkMessages(event);
    this.#checkOrganization(event);
    this.#checkConversations(event);
    this.#checkOwnLists(event);
  }

  /** @param isKnown what the model returned for the event */
  checkApplied({ type }: ServerEvent, isKnown: boolean): void {
    assert(isKnown || IGNORED.includes(type), `the model knows events of type ${type}`);
  }

  #checkMessages(event: ServerEvent): void {
    const { unread, cache } = this.#model;
    switch (event.type) {
      case 'message':
        assert.deepEqual(event.message.reactions, [], 'a message is announced before anybody reacts to it');
        break;
      case 'reaction': {
        // The client may also receive events for messages that it does not know.
        const reactions = cache.messages.get(event.message_id)?.reactions;
        const isThere = reactions?.some(
          (one) =>
            one.userId === event.user_id && one.emojiCode === event.emoji_code && one.type === event.reaction_type,
        );
        if (isThere !== undefined) checkNew(event.op === 'add', isThere, 'a reaction');
        break;
      }
      case 'update_message_flags':
        if (event.flag !== 'read' || event.op === 'add') break;
        for (const id of event.messages) {
          assert(event.message_details?.[id] !== undefined, `the event says where the unread message ${id} is`);
        }
        break;
      case 'update_message': {
        if (event.new_stream_id === undefined && event.subject === undefined) break;
        const moved = event.message_ids.filter((id) => unread.has(id));
        if (moved.length === 0) break;
        const there = new Set([...unread.groupsOfChannel(event.stream_id ?? 0)].flatMap(({ ids }) => [...ids]));
        assert(
          moved.every((id) => there.has(id)),
          'messages are moved from where the client has them',
        );
      }
    }
  }

  #checkOrganization(event: ServerEvent): void {
    const { users, bots, groups, organization } = this.#model;
    switch (event.type) {
      case 'realm':
        for (const name of event.op === 'update' ? [event.property] : Object.keys(event.data)) {
          assert(name in organization.settings, `the client knows the setting ${name}`);
        }
        break;
      case 'realm_user':
        this.#checkUser(event);
        break;
      case 'realm_bot':
        if (bots.isComplete) checkNew(event.op === 'add', bots.all.has(event.bot.user_id), 'a bot');
        break;
      case 'user_group': {
        if (event.op === 'add') {
          checkNew(true, groups.get(event.group.id) !== undefined, 'a group');
          break;
        }
        const group = groups.get(event.group_id);
        assert(group !== undefined, 'the client knows the group that changes');
        if (event.op === 'add_members') checkAll(event.user_ids, group.members, false);
        else if (event.op === 'remove_members') checkAll(event.user_ids, group.members, true);
        else if (event.op === 'add_subgroups') checkAll(event.direct_subgroup_ids, group.subgroupIds, false);
        else if (event.op === 'remove_subgroups') checkAll(event.direct_subgroup_ids, group.subgroupIds, true);
        break;
      }
      case 'realm_domains': {
        const name = event.op === 'remove' ? event.domain : event.realm_domain.domain;
        const isThere = organization.domains.some(({ domain }) => domain === name);
        checkNew(event.op === 'add', isThere, 'a domain');
        break;
      }
      case 'realm_user_settings_defaults':
        assert(event.property in organization.userSettingsDefaults, `the client knows ${event.property}`);
        break;
      case 'presence':
        if ('presence' in event) assert.equal(event.presence.website.pushable, false);
        break;
      case 'user_status':
        if (users.all.size > 0) assert(users.get(event.user_id) !== undefined, 'the client knows whose status it is');
    }
  }

  #checkUser(event: EventOfType<'realm_user'>): void {
    const { person } = event;
    const user = this.#model.users.get(person.user_id);
    if (event.op === 'add') {
      checkNew(true, user !== undefined, 'a user');
      assert.equal(event.person.is_active, true);
      return;
    }
    assert(user !== undefined, 'the client knows the user');
    if ('is_active' in person) assert.notEqual(person.is_active, user.isActive, 'the account is other than before');
    if ('timezone' in person) assert.equal(person.email, user.email);
  }

  #checkConversations(event: ServerEvent): void {
    const { channelFolders, topicPolicies } = this.#model;
    switch (event.type) {
      case 'stream':
        this.#checkChannel(event);
        break;
      case 'subscription':
        this.#checkSubscription(event);
        break;
      case 'channel_folder':
        if (event.op === 'reorder') {
          const known = new Set(channelFolders.all.map(({ id }) => id));
          assert.equal(event.order.length, known.size, 'the order names all folders');
          checkAll(event.order, known, true);
        } else {
          const id = event.op === 'add' ? event.channel_folder.id : event.channel_folder_id;
          checkNew(event.op === 'add', channelFolders.get(id) !== undefined, 'a folder');
        }
        break;
      case 'user_topic': {
        const before = ['inherit', 'muted', 'unmuted', 'followed'].indexOf(
          topicPolicies.policyOf(event.stream_id, event.topic_name),
        );
        if (!this.#isHidden(event.stream_id)) {
          assert.notEqual(before, event.visibility_policy, 'the policy is another than before');
        }
        break;
      }
      case 'muted_topics': {
        // For older clients. It repeats the events before it. A client may have missed those of hidden channels.
        const muted = new Set(topicPolicies.withPolicy('muted').map((one) => `${one.topic} ${one.updatedAt}`));
        const hidden = new Set([...this.#model.channels.all.keys()].filter((id) => this.#isHidden(id)));
        if (hidden.size > 0) break;
        for (const [, topic, since] of event.muted_topics) assert(muted.has(`${topic} ${since}`), `${topic} is muted`);
      }
    }
  }

  #checkChannel(event: EventOfType<'stream'>): void {
    const { channels } = this.#model;
    if (event.op === 'create') {
      for (const { stream_id: id } of event.streams) checkNew(true, channels.get(id) !== undefined, `channel ${id}`);
    } else if (event.op === 'update') {
      const channel = channels.get(event.stream_id);
      const isOlder = event.property === 'stream_post_policy' || event.property === 'is_announcement_only';
      if (channel === undefined || isOlder) return;
      assert.notDeepEqual(changedByUpdate(channel, event), {}, `the model knows ${event.property} of channels`);
    }
  }

  #checkSubscription(event: EventOfType<'subscription'>): void {
    const { channels } = this.#model;
    switch (event.op) {
      case 'add':
        for (const { stream_id: id } of event.subscriptions) {
          assert(channels.get(id) !== undefined || !this.#fetched.has('streams'), `the client knows channel ${id}`);
          checkNew(true, channels.isSubscribed(id), 'a subscription');
        }
        break;
      case 'remove':
        for (const { stream_id: id } of event.subscriptions)
          checkNew(false, channels.isSubscribed(id), 'this subscription');
        break;
      case 'update':
        checkNew(false, channels.isSubscribed(event.stream_id), 'this subscription');
        break;
      default:
        for (const id of event.stream_ids) {
          assert(channels.get(id) !== undefined, 'peers change in channels that the client knows');
          const { ids, isComplete } = channels.subscribersOf(id);
          if (event.op === 'peer_add') checkAll(event.user_ids, ids, false);
          else if (isComplete) checkAll(event.user_ids, ids, true);
        }
    }
  }

  #checkOwnLists(event: ServerEvent): void {
    const model = this.#model;
    switch (event.type) {
      case 'user_settings':
        assert(event.property in model.account.settings, `the client knows ${event.property}`);
        assert.equal(event.language_name !== undefined, event.property === 'default_language');
        break;
      case 'update_display_settings':
        assert.equal(event.language_name !== undefined, event.setting_name === 'default_language');
        break;
      case 'drafts': {
        const ids =
          event.op === 'add'
            ? event.drafts.map(({ id }) => id)
            : [event.op === 'remove' ? event.draft_id : event.draft.id];
        for (const id of ids) checkNew(event.op === 'add', model.drafts.get(id) !== undefined, 'a draft');
        break;
      }
      case 'saved_snippets': {
        const id = event.op === 'remove' ? event.saved_snippet_id : event.saved_snippet.id;
        checkNew(event.op === 'add', model.savedSnippets.get(id) !== undefined, 'a snippet');
        break;
      }
      case 'scheduled_messages': {
        const ids = scheduledIds(event);
        for (const id of ids) checkNew(event.op === 'add', model.scheduledMessages.get(id) !== undefined, 'a message');
        break;
      }
      case 'navigation_view': {
        const fragment = event.op === 'add' ? event.navigation_view.fragment : event.fragment;
        checkNew(event.op === 'add', model.navigationViews.all.has(fragment), 'a view');
      }
    }
  }
}

function scheduledIds(event: EventOfType<'scheduled_messages'>): readonly number[] {
  if (event.op === 'remove') return [event.scheduled_message_id];
  const messages = event.op === 'add' ? event.scheduled_messages : [event.scheduled_message];
  return messages.map(({ scheduled_message_id: id }) => id);
}

/** Only what is new is added, and only what is known is changed and removed. */
function checkNew(isAdded: boolean, isKnown: boolean, what: string): void {
  assert.equal(isKnown, !isAdded, `${what} is ${isAdded ? 'new' : 'known'} to the client`);
}

function checkAll(ids: readonly number[], known: ReadonlySet<number>, isThere: boolean): void {
  for (const id of ids) assert.equal(known.has(id), isThere, isThere ? `${id} was there` : `${id} was not there`);
}
