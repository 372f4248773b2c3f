import assert from 'node:assert/strict';
import type { Json } from '../clients/json.ts';
import { isHeardOf } from './fold-topics.ts';

/** Applies events about unread messages, as a client does. A part of `Picture` (fold.ts), whose state it changes. */
export class UnreadOfPicture {
  readonly #state: Json;
  readonly #ownId: number;

  constructor(state: Json, ownId: number) {
    this.#state = state;
    this.#ownId = ownId;
  }

  countUnread(id: number, { type, mentioned, stream_id, topic, user_ids }: Json): void {
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

  /** Removes messages that were read, or that the client no longer counts. */
  forgetUnread(ids: readonly number[]): void {
    const unread = this.#state.unread_msgs;
    if (unread === undefined) return;
    const gone = new Set(ids);
    for (const group of [...unread.streams, ...unread.pms, ...unread.huddles]) {
      group.unread_message_ids = group.unread_message_ids.filter((id: number) => !gone.has(id));
    }
    unread.mentions = unread.mentions.filter((id: number) => !gone.has(id));
  }

  /** Removes messages of channels from which the client may have missed events. */
  forgetChannels(channelIds: ReadonlySet<number>): void {
    const streams: Json[] = this.#state.unread_msgs?.streams ?? [];
    const lost = streams.filter((one) => channelIds.has(one.stream_id));
    this.forgetUnread(lost.flatMap((one) => one.unread_message_ids));
  }

  #forgetAllUnread(): void {
    const unread = this.#state.unread_msgs;
    if (unread !== undefined) Object.assign(unread, { streams: [], pms: [], huddles: [], mentions: [] });
  }

  /**
   * Computes the count, which excludes muted messages. It changes with messages, their flags, and muted channels and
   * topics.
   */
  weighUnread(): void {
    const { unread_msgs: unread, subscriptions, user_topics: topics = [] } = this.#state;
    if (unread === undefined) return;
    const muted = new Set(subscriptions.filter((one: Json) => one.is_muted).map((one: Json) => one.stream_id));
    const isHeard = (one: Json) => isHeardOf(topics, one, muted.has(one.stream_id));
    const heard = [...unread.streams.filter(isHeard), ...unread.pms, ...unread.huddles];
    unread.count = heard.reduce((sum, { unread_message_ids: ids }) => sum + ids.length, 0);
  }

  flag({ op, flag, messages, message_details, all }: Json): void {
    const state = this.#state;
    if (all) this.#forgetAllUnread();
    if (flag === 'starred' && state.starred_messages !== undefined) {
      const others = state.starred_messages.filter((id: number) => !messages.includes(id));
      state.starred_messages = op === 'add' ? [...others, ...messages] : others;
    }
    if (flag !== 'read') return;
    this.forgetUnread(messages);
    if (op === 'remove') for (const id of messages) this.countUnread(id, message_details[id]);
  }

  /** Clients count an unread message among the mentions if its flags say that it mentions their user. */
  edit(event: Json): void {
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
}

/** Adds a message to its group. */
function put(groups: Json[], isThis: (group: Json) => boolean, key: object, id: number): void {
  const group = groups.find(isThis);
  if (group === undefined) groups.push({ ...key, unread_message_ids: [id] });
  else group.unread_message_ids.push(id);
}

/** Moves unread messages to the group of their new topic. */
function moveUnread(streams: Json[], { message_ids, stream_id, new_stream_id, subject }: Json): void {
  const all = new Set(message_ids);
  const arriving: { place: { stream_id: number; topic: string }; id: number }[] = [];
  for (const group of streams) {
    const place = { stream_id: new_stream_id ?? stream_id, topic: subject ?? group.topic };
    for (const id of group.unread_message_ids) {
      if (!all.has(id)) continue;
      assert.equal(group.stream_id, stream_id, 'messages are moved from where the client has them');
      arriving.push({ place, id });
    }
    group.unread_message_ids = group.unread_message_ids.filter((id: number) => !all.has(id));
  }
  for (const { place, id } of arriving) {
    put(streams, (one) => one.stream_id === place.stream_id && one.topic === place.topic, place, id);
  }
}

const ascending = (a: number, b: number) => a - b;
