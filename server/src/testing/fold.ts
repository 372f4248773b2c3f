import assert from 'node:assert/strict';
import type { Json } from './client.ts';
import { byOwnId, changeFolders, changeOwnList, changeSnippets, joined, left, OWN_LISTS } from './fold-lists.ts';
import { byTopic, changeTopic, checkMuted, isHeardOf } from './fold-topics.ts';
import { moveUnread, put } from './fold-unread.ts';
import { KnownReactions } from './known-reactions.ts';

/**
 * A client's picture of the organization: what `POST /register` answered, with each event applied as the wire's documentation tells
 * clients to. It knows nothing of how the server works, and fails where an event does not fit what it knows.
 */
export class Picture {
  readonly #ownId: number;
  readonly #wantsSubscribers: boolean;
  readonly #state: Json;
  /** Channels that the client heard of by an event: whether it was once subscribed to them it is not told. */
  readonly learned = new Set<number>();
  /** Messages that the client heard are deleted. Which was the newest before them it cannot know. */
  readonly deleted = new Set<number>();
  readonly reactions = new KnownReactions();

  /** @param wantsSubscribers whether the client asked for lists of subscribers when it registered */
  constructor(userId: number, state: Json, wantsSubscribers: boolean) {
    const { queue_id, last_event_id, server_timestamp, ...rest } = structuredClone(state);
    this.#ownId = userId;
    this.#wantsSubscribers = wantsSubscribers;
    this.#state = rest;
  }

  apply(event: Json): void {
    switch (event.type) {
      case 'message':
        this.#receive(event.message, event.flags);
        this.reactions.receive(event.message);
        break;
      case 'update_message_flags':
        this.#flag(event);
        break;
      case 'update_message':
        this.#edit(event);
        break;
      case 'delete_message':
        this.#delete(event.message_ids ?? [event.message_id]);
        break;
      case 'stream':
        this.#changeChannels(event);
        break;
      case 'subscription':
        this.#changeSubscriptions(event);
        break;
      case 'default_streams':
        this.#state.realm_default_streams = event.default_streams;
        break;
      case 'channel_folder':
        changeFolders(this.#state.channel_folders, event);
        break;
      case 'realm_user':
        this.#changeUsers(event);
        break;
      case 'user_group':
        this.#changeGroup(event);
        break;
      case 'realm':
        this.#changeSettings(event);
        break;
      case 'reaction':
        this.reactions.react(event);
        break;
      case 'realm_emoji':
        if (this.#state.realm_emoji !== undefined) this.#state.realm_emoji = event.realm_emoji;
        break;
      case 'saved_snippets':
        this.#state.saved_snippets &&= changeSnippets(this.#state.saved_snippets, event);
        break;
      case 'user_topic':
        this.#state.user_topics &&= changeTopic(this.#state.user_topics, event);
        break;
      case 'muted_topics':
        if (this.#state.user_topics !== undefined) checkMuted(this.#state.user_topics, event);
        break;
      case 'scheduled_messages':
      case 'reminders':
        this.#state[event.type] &&= changeOwnList(this.#state[event.type], event);
        break;
      case 'typing':
      case 'heartbeat':
        break;
      default:
        assert.fail(`an event of type ${event.type}`);
    }
    this.#weighUnread();
  }

  /** Forgets what a client that has heard of these channels by an event could not know: that it was once subscribed to them. */
  forgetSubscribed(channelIds: ReadonlySet<number>): this {
    const state = this.#state;
    const forgotten = state.unsubscribed?.filter((one: Json) => channelIds.has(one.stream_id)) ?? [];
    if (forgotten.length === 0) return this;
    state.unsubscribed = state.unsubscribed.filter((one: Json) => !channelIds.has(one.stream_id));
    for (const one of forgotten) for (const name of OWN_SETTINGS) delete one[name];
    state.never_subscribed.push(...forgotten);
    return this;
  }

  /** Forgets which messages are the newest where a client that has heard of these deletions could not know it. */
  forgetNewest({ deleted }: Picture): this {
    if (deleted.size === 0) return this;
    delete this.#state.max_message_id;
    delete this.#state.recent_private_conversations;
    return this;
  }

  /** Forgets these accounts in permissions, where the client hears nothing of accounts: neither that one is deactivated. */
  forgetAccounts(userIds: ReadonlySet<number>): this {
    if (this.#state.realm_users === undefined) this.#forgetInPermissions((id) => userIds.has(id));
    return this;
  }

  /** Comparable: what is a set comes in the order of its ids. */
  get plain(): Json {
    const state = structuredClone(this.#state);
    for (const name of CHANNEL_LISTS) {
      state[name]?.sort((a: Json, b: Json) => a.stream_id - b.stream_id);
      for (const one of state[name] ?? []) one.subscribers?.sort(ascending);
    }
    for (const name of ['realm_users', 'realm_non_active_users']) {
      state[name]?.sort((a: Json, b: Json) => a.user_id - b.user_id);
    }
    for (const group of state.realm_user_groups ?? []) {
      group.members.sort(ascending);
      group.direct_subgroup_ids.sort(ascending);
    }
    state.starred_messages?.sort(ascending);
    state.channel_folders?.sort((a: Json, b: Json) => a.order - b.order);
    state.user_topics?.sort(byTopic);
    // Older clients know channels by their names, and are not told when they know one no more.
    delete state.muted_topics;
    for (const name of OWN_LISTS) state[name]?.sort(byOwnId);
    state.realm_user_groups?.sort((a: Json, b: Json) => a.id - b.id);
    state.recent_private_conversations?.sort((a: Json, b: Json) => a.max_message_id - b.max_message_id);
    const unread = state.unread_msgs;
    if (unread !== undefined) {
      unread.mentions.sort(ascending);
      for (const name of ['pms', 'streams', 'huddles']) {
        unread[name] = unread[name].filter((group: Json) => group.unread_message_ids.length > 0);
        for (const group of unread[name]) group.unread_message_ids.sort(ascending);
        unread[name].sort((a: Json, b: Json) => a.unread_message_ids[0] - b.unread_message_ids[0]);
      }
    }
    return state;
  }

  #receive(message: Json, flags: readonly string[]): void {
    const state = this.#state;
    if (state.max_message_id !== undefined) state.max_message_id = Math.max(state.max_message_id, message.id);
    const others = message.type === 'private' ? this.#others(message.display_recipient) : [];
    if (message.type === 'private' && state.recent_private_conversations !== undefined) {
      state.recent_private_conversations = [
        ...state.recent_private_conversations.filter((one: Json) => `${one.user_ids}` !== `${others}`),
        { max_message_id: message.id, user_ids: others },
      ];
    }
    if (flags.includes('starred')) state.starred_messages?.push(message.id);
    if (flags.includes('read')) return;
    const mentioned = flags.includes('mentioned') || flags.includes('wildcard_mentioned');
    this.#countUnread(message.id, {
      type: message.type,
      mentioned,
      ...(message.type === 'private' ? { user_ids: others } : { stream_id: message.stream_id, topic: message.subject }),
    });
  }

  #changeSettings({ op, property, value, data }: Json): void {
    assert(op === 'update' || op === 'update_dict', `realm, op ${op}`);
    const changed: Json = op === 'update' ? { [property]: value } : data;
    for (const [name, now] of Object.entries(changed)) {
      if (this.#state.realm_name !== undefined) assert(`realm_${name}` in this.#state, `the client knows ${name}`);
      this.#state[`realm_${name}`] = now;
    }
    this.#weighPermissions();
  }

  #others(participants: readonly Json[]): number[] {
    const ids: number[] = participants.map((person) => person.id);
    return ids.filter((id) => id !== this.#ownId).toSorted(ascending);
  }

  #countUnread(id: number, { type, mentioned, stream_id, topic, user_ids }: Json): void {
    const unread = this.#state.unread_msgs;
    if (unread === undefined) return;
    if (mentioned) unread.mentions.push(id);
    if (type === 'stream') {
      put(unread.streams, (one) => one.stream_id === stream_id && one.topic === topic, { stream_id, topic }, id);
    } else if (user_ids.length <= 1) {
      const other_user_id = user_ids[0] ?? this.#ownId;
      put(unread.pms, (one) => one.other_user_id === other_user_id, { other_user_id, sender_id: other_user_id }, id);
    } else {
      const user_ids_string = [...user_ids, this.#ownId].toSorted(ascending).join(',');
      put(unread.huddles, (one) => one.user_ids_string === user_ids_string, { user_ids_string }, id);
    }
  }

  /** Of messages that were read, or that the client no longer counts. */
  #forgetUnread(ids: readonly number[]): void {
    const unread = this.#state.unread_msgs;
    if (unread === undefined) return;
    const gone = new Set(ids);
    for (const group of [...unread.streams, ...unread.pms, ...unread.huddles]) {
      group.unread_message_ids = group.unread_message_ids.filter((id: number) => !gone.has(id));
    }
    unread.mentions = unread.mentions.filter((id: number) => !gone.has(id));
  }

  #delete(ids: readonly number[]): void {
    const state = this.#state;
    for (const id of ids) this.deleted.add(id);
    this.#forgetUnread(ids);
    state.starred_messages &&= state.starred_messages.filter((id: number) => !ids.includes(id));
  }

  #forgetAllUnread(): void {
    const unread = this.#state.unread_msgs;
    if (unread !== undefined) Object.assign(unread, { streams: [], pms: [], huddles: [], mentions: [] });
  }

  /** The count leaves out what is muted, so it changes with messages and their flags, and with channels and topics that are muted. */
  #weighUnread(): void {
    const { unread_msgs: unread, subscriptions, user_topics: topics = [] } = this.#state;
    if (unread === undefined) return;
    const muted = new Set(subscriptions.filter((one: Json) => one.is_muted).map((one: Json) => one.stream_id));
    const isHeard = (one: Json) => isHeardOf(topics, one, muted.has(one.stream_id));
    const heard = [...unread.streams.filter(isHeard), ...unread.pms, ...unread.huddles];
    unread.count = heard.reduce((sum, { unread_message_ids: ids }) => sum + ids.length, 0);
  }

  #flag({ op, flag, messages, message_details, all }: Json): void {
    const state = this.#state;
    if (all) this.#forgetAllUnread();
    if (flag === 'starred' && state.starred_messages !== undefined) {
      const others = state.starred_messages.filter((id: number) => !messages.includes(id));
      state.starred_messages = op === 'add' ? [...others, ...messages] : others;
    }
    if (flag !== 'read') return;
    this.#forgetUnread(messages);
    if (op === 'remove') for (const id of messages) this.#countUnread(id, message_details[id]);
  }

  /** Clients count a message among the mentions if it is unread and its flags say that it mentions their user. */
  #edit(event: Json): void {
    const unread = this.#state.unread_msgs;
    if (unread === undefined) return;
    const { message_id, flags } = event;
    const groups = [...unread.streams, ...unread.pms, ...unread.huddles];
    const isUnread = groups.some((group) => group.unread_message_ids.includes(message_id));
    unread.mentions = unread.mentions.filter((id: number) => id !== message_id);
    if (isUnread && (flags.includes('mentioned') || flags.includes('wildcard_mentioned')))
      unread.mentions.push(message_id);
    if (event.propagate_mode !== undefined) moveUnread(unread.streams, event);
  }

  #changeChannels(event: Json): void {
    switch (event.op) {
      case 'create':
        for (const channel of event.streams) this.#learn(channel);
        break;
      case 'delete':
        for (const name of CHANNEL_LISTS) {
          this.#state[name] &&= this.#state[name].filter((one: Json) => !event.stream_ids.includes(one.stream_id));
        }
        break;
      case 'update':
        for (const one of this.#copiesOf(event.stream_id)) {
          const { property, value, rendered_description, history_public_to_subscribers, is_web_public } = event;
          assert(property in one, `the client knows ${property} of channels`);
          one[property] = structuredClone(value);
          if (property === 'description') Object.assign(one, { rendered_description });
          if (property === 'invite_only') Object.assign(one, { history_public_to_subscribers, is_web_public });
        }
        break;
      default:
        assert.fail(`stream, op ${event.op}`);
    }
  }

  #learn(channel: Json): void {
    const { streams, never_subscribed } = this.#state;
    assert(!streams?.some((one: Json) => one.stream_id === channel.stream_id), 'the channel is new to the client');
    streams?.push(structuredClone(channel));
    this.learned.add(channel.stream_id);
    const empty = this.#wantsSubscribers ? { subscribers: [] } : {};
    never_subscribed?.push({ ...structuredClone(channel), ...empty });
  }

  #changeSubscriptions(event: Json): void {
    switch (event.op) {
      case 'add':
        for (const added of event.subscriptions) this.#join(added);
        break;
      case 'remove':
        for (const { stream_id } of event.subscriptions) this.#leave(stream_id);
        break;
      case 'update': {
        const one = this.#state.subscriptions.find((known: Json) => known.stream_id === event.stream_id);
        assert(one !== undefined, 'the setting is of a subscription that the client knows');
        one[event.property] = event.value;
        break;
      }
      case 'peer_add':
        for (const id of event.stream_ids) this.#peers(id, event.user_ids, []);
        break;
      case 'peer_remove':
        for (const id of event.stream_ids) this.#peers(id, [], event.user_ids);
        break;
      default:
        assert.fail(`subscription, op ${event.op}`);
    }
  }

  #join(added: Json): void {
    const state = this.#state;
    const isOther = (one: Json) => one.stream_id !== added.stream_id;
    const channel = state.streams?.find((one: Json) => !isOther(one));
    assert(
      channel !== undefined || state.streams === undefined,
      'the client knows the channel before the subscription',
    );
    if (channel !== undefined) channel.subscriber_count = added.subscriber_count;
    this.learned.delete(added.stream_id);
    state.unsubscribed = state.unsubscribed.filter(isOther);
    state.never_subscribed = state.never_subscribed.filter(isOther);
    assert(state.subscriptions.every(isOther), 'the subscription is new to the client');
    state.subscriptions.push(structuredClone(added));
  }

  /** That what is unread there does not count any more, another event says. */
  #leave(id: number): void {
    const state = this.#state;
    const left = state.subscriptions.find((one: Json) => one.stream_id === id);
    assert(left !== undefined, 'the client knows the subscription that ends');
    state.subscriptions = state.subscriptions.filter((one: Json) => one !== left);
    state.unsubscribed.push(left);
    this.reactions.leave(id);
    this.#peers(id, [], [this.#ownId]);
  }

  #peers(id: number, added: readonly number[], removed: readonly number[]): void {
    const copies = this.#copiesOf(id);
    assert(copies.length > 0, 'peers change in channels that the client knows');
    for (const one of copies) {
      one.subscriber_count += added.length - removed.length;
      if (one.subscribers === undefined) continue;
      assert(!added.some((userId) => one.subscribers.includes(userId)), 'who is added was not there');
      assert(
        removed.every((userId) => one.subscribers.includes(userId)),
        'who is removed was there',
      );
      one.subscribers = [...one.subscribers, ...added].filter((userId) => !removed.includes(userId));
    }
  }

  #copiesOf(id: number): Json[] {
    return CHANNEL_LISTS.flatMap((name) => (this.#state[name] ?? []).filter((one: Json) => one.stream_id === id));
  }

  #changeUsers({ op, person }: Json): void {
    const state = this.#state;
    if (op === 'add') {
      assert(!state.realm_users.some((one: Json) => one.user_id === person.user_id), 'the user is new to the client');
      state.realm_users.push(person);
      return;
    }
    assert(op === 'update', `realm_user, op ${op}`);
    const { user_id, is_active, role, ...others } = person;
    assert(Object.keys(others).length === 0, 'only activity and roles change');
    if (role !== undefined) this.#changeRole(user_id, role);
    if (is_active !== undefined) this.#changeActivity(user_id, is_active);
  }

  #changeActivity(user_id: number, is_active: boolean): void {
    const state = this.#state;
    const [from, to] = is_active
      ? ['realm_non_active_users', 'realm_users']
      : ['realm_users', 'realm_non_active_users'];
    const user = state[from].find((one: Json) => one.user_id === user_id);
    assert(user !== undefined, 'the client knows the user');
    state[from] = state[from].filter((one: Json) => one !== user);
    state[to].push({ ...user, is_active });
    for (const group of state.realm_user_groups ?? []) {
      group.members = group.members.filter((id: number) => id !== user_id);
    }
    this.#forgetInPermissions((id) => id === user_id);
  }

  #forgetInPermissions(isGone: (userId: number) => boolean): void {
    const state = this.#state;
    const channels = CHANNEL_LISTS.flatMap((name) => state[name] ?? []);
    for (const holder of [state, ...(state.realm_user_groups ?? []), ...channels]) {
      for (const setting of Object.values<Json>(holder)) {
        if (!Array.isArray(setting?.direct_members)) continue;
        setting.direct_members = setting.direct_members.filter((id: number) => !isGone(id));
      }
    }
  }

  #changeRole(user_id: number, role: number): void {
    const user = this.#state.realm_users.find((one: Json) => one.user_id === user_id);
    assert(user !== undefined, 'the client knows the user');
    const is = { is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 };
    Object.assign(user, { role, ...is });
    if (user_id !== this.#ownId) return;
    Object.assign(this.#state, { ...is, is_moderator: role === 300 });
    this.#weighPermissions();
  }

  #changeGroup({ op, group_id, user_ids, direct_subgroup_ids, group: created, data }: Json): void {
    const groups = this.#state.realm_user_groups;
    if (op === 'add') {
      assert(!groups.some((one: Json) => one.id === created.id), 'the group is new to the client');
      groups.push(structuredClone(created));
      this.#weighPermissions();
      return;
    }
    const group = groups.find((one: Json) => one.id === group_id);
    assert(group !== undefined, 'the client knows the group that changes');
    switch (op) {
      case 'add_members':
        group.members = joined(group.members, user_ids);
        break;
      case 'remove_members':
        group.members = left(group.members, user_ids);
        break;
      case 'add_subgroups':
        group.direct_subgroup_ids = joined(group.direct_subgroup_ids, direct_subgroup_ids);
        break;
      case 'remove_subgroups':
        group.direct_subgroup_ids = left(group.direct_subgroup_ids, direct_subgroup_ids);
        break;
      case 'update':
        Object.assign(group, structuredClone(data));
        break;
      case 'remove':
        groups.splice(groups.indexOf(group), 1);
        break;
      default:
        assert.fail(`user_group, op ${op}`);
    }
    this.#weighPermissions();
  }

  /** What older clients are told of the user's permissions follows from the role and the groups. */
  #weighPermissions(): void {
    const state = this.#state;
    if (state.can_create_streams === undefined || state.realm_user_groups === undefined) return;
    const may = (name: string) => !state.is_guest && this.#isGranted(state[`realm_can_${name}_group`]);
    const createsPublic = may('create_public_channel');
    const createsPrivate = may('create_private_channel');
    const hasSpectatorAccess = state.server_web_public_streams_enabled && state.realm_enable_spectator_access;
    const createsWebPublic = hasSpectatorAccess && may('create_web_public_channel');
    Object.assign(state, {
      can_create_streams: createsPublic || createsPrivate || createsWebPublic,
      can_create_public_streams: createsPublic,
      can_create_private_streams: createsPrivate,
      can_create_web_public_streams: createsWebPublic,
      can_subscribe_other_users: may('add_subscribers'),
      can_invite_others_to_realm: may('invite_users'),
    });
  }

  #isGranted(setting: Json): boolean {
    if (typeof setting !== 'number') {
      return (
        setting.direct_members.includes(this.#ownId) ||
        setting.direct_subgroups.some((id: number) => this.#isGranted(id))
      );
    }
    const group = this.#state.realm_user_groups.find((one: Json) => one.id === setting);
    // A deactivated group holds nobody, and some clients do not know it.
    if (group === undefined || group.deactivated) return false;
    return group.members.includes(this.#ownId) || group.direct_subgroup_ids.some((id: number) => this.#isGranted(id));
  }
}

/** What is a user's own in the wire's subscription object. */
const OWN_SETTINGS = [
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
];

const CHANNEL_LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const;
const ascending = (a: number, b: number) => a - b;
