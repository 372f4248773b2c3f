import assert from 'node:assert/strict';
import type { Json } from '../clients/json.ts';
import { KnownFiles } from '../operations/filing.ts';
import { CHANNEL_LISTS, ChannelsOfPicture } from './fold-channels.ts';
import {
  byOwnId,
  changeDevices,
  changeDomains,
  changeDrafts,
  changeFolders,
  changeOwnList,
  changePushDevices,
  changeSnippets,
  changeViews,
  OWN_LISTS,
} from './fold-lists.ts';
import { isStandIn, PeopleOfPicture } from './fold-people.ts';
import { changePresence, changeStatus, known } from './fold-presence.ts';
import { changeOwnSettings } from './fold-settings.ts';
import { byTopic, changeTopic, checkMuted } from './fold-topics.ts';
import { UnreadOfPicture } from './fold-unread.ts';
import { KnownReactions } from './known-reactions.ts';

/**
 * A client's state of the organization: the response of `POST /register`, with each event applied as the API
 * documentation says. It does not know how the server works, and fails if an event does not fit its state.
 */
export class Picture {
  readonly #ownId: number;
  readonly #state: Json;
  readonly #channels: ChannelsOfPicture;
  readonly #people: PeopleOfPicture;
  readonly #unread: UnreadOfPicture;
  /** Messages that the client knows are deleted. It cannot know which message was the newest before them. */
  readonly deleted = new Set<number>();
  /** Whether the client has left a channel. It may have missed deletions there. */
  hasLeft = false;
  /** Channels that the client lost or regained, for example archived ones. It missed the events there meanwhile. */
  readonly lost = new Set<number>();
  readonly reactions = new KnownReactions();
  readonly files = new KnownFiles();

  /**
   * @param wantsSubscribers whether the client requested lists of subscribers when it registered
   * @param wantsStandIns whether it did not declare that its list of users may be incomplete
   */
  constructor(userId: number, state: Json, wantsSubscribers: boolean, wantsStandIns = true) {
    const { queue_id, last_event_id, server_timestamp, ...rest } = structuredClone(state);
    this.#ownId = userId;
    this.#state = rest;
    this.#channels = new ChannelsOfPicture(rest, userId, wantsSubscribers, this.reactions);
    this.#people = new PeopleOfPicture(rest, userId, wantsStandIns);
    this.#unread = new UnreadOfPicture(rest, userId);
  }

  /** Channels that the client knows from an event. The events do not say whether its user was subscribed before. */
  get learned(): ReadonlySet<number> {
    return this.#channels.learned;
  }

  apply(event: Json): void {
    switch (event.type) {
      case 'message':
        this.#receive(event.message, event.flags);
        this.reactions.receive(event.message);
        break;
      case 'update_message_flags':
        this.#unread.flag(event);
        break;
      case 'update_message':
        this.#unread.edit(event);
        if (event.new_stream_id !== undefined) {
          this.reactions.move(event, this.#channels.isSubscribed(event.new_stream_id));
        }
        break;
      case 'delete_message':
        this.#delete(event.message_ids ?? [event.message_id]);
        break;
      case 'stream':
        this.#channels.changeChannels(event);
        for (const id of goneOrBack(event)) this.#lose(id);
        break;
      case 'subscription':
        this.#channels.changeSubscriptions(event);
        if (event.op === 'remove') this.hasLeft = true;
        break;
      case 'default_streams':
        this.#state.realm_default_streams = event.default_streams;
        break;
      case 'channel_folder':
        changeFolders(this.#state.channel_folders, event);
        break;
      case 'realm_user':
        this.#people.changeUsers(event);
        break;
      case 'realm_bot':
        this.#people.changeBots(event);
        break;
      case 'user_group':
        this.#people.changeGroup(event);
        break;
      case 'realm':
        this.#changeSettings(event);
        break;
      case 'reaction':
        this.reactions.react(event);
        break;
      case 'user_status':
        this.#state.user_status &&= changeStatus(this.#state.user_status, event);
        break;
      case 'submessage':
        this.reactions.attach(event);
        break;
      case 'realm_linkifiers':
      case 'realm_playgrounds':
      case 'alert_words':
      case 'muted_users':
      case 'onboarding_steps':
        if (this.#state[event.type] !== undefined) this.#state[event.type] = event[event.type];
        break;
      case 'attachment':
        this.files.apply(event);
        break;
      case 'realm_emoji':
        if (this.#state.realm_emoji !== undefined) this.#state.realm_emoji = event.realm_emoji;
        break;
      case 'saved_snippets':
        this.#state.saved_snippets &&= changeSnippets(this.#state.saved_snippets, event);
        break;
      case 'drafts':
        this.#state.drafts &&= changeDrafts(this.#state.drafts, event);
        break;
      case 'navigation_view':
        this.#state.navigation_views &&= changeViews(this.#state.navigation_views, event);
        break;
      case 'realm_domains':
        this.#state.realm_domains &&= changeDomains(this.#state.realm_domains, event);
        break;
      case 'invites_changed':
      case 'realm_export_consent':
        // For data of `GET /invites` and `GET /export/realm/consents`, which is in no state.
        break;
      case 'push_device':
        this.#state.push_devices &&= changePushDevices(this.#state.push_devices, event);
        break;
      case 'device':
        this.#state.devices &&= changeDevices(this.#state.devices, event);
        break;
      case 'user_topic':
        this.#state.user_topics &&= changeTopic(this.#state.user_topics, event, this.lost);
        break;
      case 'muted_topics':
        if (this.#state.user_topics !== undefined && this.lost.size === 0) checkMuted(this.#state.user_topics, event);
        break;
      case 'scheduled_messages':
      case 'reminders':
        this.#state[event.type] &&= changeOwnList(this.#state[event.type], event);
        break;
      case 'user_settings':
      case 'update_display_settings':
      case 'update_global_notifications':
      case 'realm_user_settings_defaults':
        changeOwnSettings(this.#state, event);
        break;
      case 'presence':
        this.#state.presences &&= changePresence(this.#state.presences, event);
        break;
      case 'custom_profile_fields':
        this.#people.changeFields(event.fields);
        break;
      case 'restart':
        this.#changeServer(event);
        break;
      case 'typing':
      case 'typing_edit_message':
      case 'web_reload_client':
      case 'heartbeat':
        break;
      default:
        assert.fail(`an event of type ${event.type}`);
    }
    this.#unread.weighUnread();
  }

  /** Removes what a client that knows these channels from an event cannot know: that it was once subscribed to them. */
  forgetSubscribed(channelIds: ReadonlySet<number>): this {
    const state = this.#state;
    const forgotten = state.unsubscribed?.filter((one: Json) => channelIds.has(one.stream_id)) ?? [];
    if (forgotten.length === 0) return this;
    state.unsubscribed = state.unsubscribed.filter((one: Json) => !channelIds.has(one.stream_id));
    for (const one of forgotten) for (const name of OWN_SETTINGS) delete one[name];
    state.never_subscribed.push(...forgotten);
    return this;
  }

  #lose(channelId: number): void {
    this.lost.add(channelId);
    this.hasLeft = true;
    this.reactions.leave(channelId);
  }

  /**
   * Removes the newest message ids that a client cannot know after deletions that it received or may have missed. Also
   * removes what is in channels that it had lost.
   */
  forgetNewest({ deleted, hasLeft, lost }: Picture): this {
    this.#unread.forgetChannels(lost);
    this.#state.user_topics &&= this.#state.user_topics.filter((one: Json) => !lost.has(one.stream_id));
    this.#unread.weighUnread();
    if (hasLeft) delete this.#state.max_message_id;
    if (deleted.size === 0) return this;
    delete this.#state.max_message_id;
    delete this.#state.recent_private_conversations;
    return this;
  }

  /** Removes bots if a client with these changes cannot know which ones a new registration has. */
  forgetBots(other: Picture): this {
    if (other.#state.realm_bots === undefined) delete this.#state.realm_bots;
    return this;
  }

  /** Removes email addresses that a client cannot know, because its role changed by an event. */
  forgetAddresses({ hasNewRole }: Picture): this {
    if (hasNewRole) this.#people.forgetAddresses();
    return this;
  }

  /**
   * Removes these users from permissions if the client receives no user events, so that it does not know of
   * deactivations.
   */
  forgetAccounts(userIds: ReadonlySet<number>): this {
    if (this.#state.realm_users === undefined) this.#people.forgetInPermissions((id) => userIds.has(id));
    return this;
  }

  /** Removes what a client cannot know of users who became accessible since. */
  forgetAttendance(other: Picture): this {
    this.#people.forgetAttendance(other.#people.newlyKnown);
    return this;
  }

  get hasNewRole(): boolean {
    return this.#people.hasNewRole;
  }

  /** The state in comparable form: sets are sorted by id. */
  get plain(): Json {
    const state = structuredClone(this.#state);
    for (const name of CHANNEL_LISTS) {
      state[name]?.sort((a: Json, b: Json) => a.stream_id - b.stream_id);
      for (const one of state[name] ?? []) one.subscribers?.sort(ascending);
    }
    for (const name of ['realm_users', 'realm_non_active_users']) {
      // Only the id of a placeholder belongs to its user.
      state[name] = state[name]?.map((user: Json) => (isStandIn(user) ? { user_id: user.user_id } : user));
      if (state[name] === undefined) delete state[name];
      for (const user of state[name] ?? []) {
        forgetComputable(user);
        // A client that does not receive profile fields does not learn that one was removed.
        if (state.custom_profile_fields === undefined) delete user.profile_data;
      }
      state[name]?.sort((a: Json, b: Json) => a.user_id - b.user_id);
    }
    state.realm_bots?.sort((a: Json, b: Json) => a.user_id - b.user_id);
    for (const group of state.realm_user_groups ?? []) {
      group.members.sort(ascending);
      group.direct_subgroup_ids.sort(ascending);
    }
    state.starred_messages?.sort(ascending);
    state.drafts?.sort((a: Json, b: Json) => a.id - b.id);
    state.channel_folders?.sort((a: Json, b: Json) => a.order - b.order);
    state.user_topics?.sort(byTopic);
    // Older clients identify channels by name, and receive no event when they lose one.
    delete state.muted_topics;
    // Counts presence reports, most of which cause no event.
    delete state.presence_last_update_id;
    state.presences &&= known(state.presences);
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
    this.#unread.countUnread(message.id, {
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
    this.#people.weighPermissions();
  }

  #changeServer({ id, type, server_generation, ...versions }: Json): void {
    Object.assign(this.#state, versions);
    if (this.#state.server_generation !== undefined) this.#state.server_generation = server_generation;
  }

  #others(participants: readonly Json[]): number[] {
    const ids: number[] = participants.map((person) => person.id);
    return ids.filter((id) => id !== this.#ownId).toSorted(ascending);
  }

  #delete(ids: readonly number[]): void {
    const state = this.#state;
    for (const id of ids) this.deleted.add(id);
    this.#unread.forgetUnread(ids);
    state.starred_messages &&= state.starred_messages.filter((id: number) => !ids.includes(id));
  }
}

/** The personal settings in a subscription object. */
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

/** Clients compute the gravatar of a visible email address, whether or not the server sent it. */
function forgetComputable(user: Json): void {
  if (user.delivery_email === user.email) delete user.avatar_url;
}

const ascending = (a: number, b: number) => a - b;

/** A new channel has no message yet. */
function goneOrBack({ op, stream_ids = [], streams = [] }: Json): number[] {
  if (op === 'delete') return stream_ids;
  if (op !== 'create') return [];
  return streams.flatMap((one: Json) => (one.first_message_id === null ? [] : one.stream_id));
}
