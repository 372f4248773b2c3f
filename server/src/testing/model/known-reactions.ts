import assert from 'node:assert/strict';
import type { TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';

/** The reactions and submessages of messages that a client knows from events. */
export class KnownReactions {
  readonly #messages = new Map<
    number,
    { channel: number | undefined; reactions: Json[]; readonly submessages: Json[] }
  >();

  receive(message: Json): void {
    assert.deepEqual(message.reactions, [], 'a message is announced before anybody reacts to it');
    const submessages = [...message.submessages];
    this.#messages.set(message.id, { channel: message.stream_id, reactions: [], submessages });
  }

  /** The client may also receive events for messages that it does not know. */
  react({ op, message_id, emoji_name, emoji_code, reaction_type, user_id }: Json): void {
    const message = this.#messages.get(message_id);
    if (message === undefined) return;
    const reaction = { emoji_name, emoji_code, reaction_type, user_id };
    const others = message.reactions.filter((one) => !isSame(one, reaction));
    assert.equal(
      others.length < message.reactions.length,
      op === 'remove',
      'only what is new is added, and what is there removed',
    );
    message.reactions = op === 'add' ? [...others, reaction] : others;
  }

  attach({ message_id, submessage_id: id, sender_id, msg_type, content }: Json): void {
    this.#messages.get(message_id)?.submessages.push({ id, message_id, sender_id, msg_type, content });
  }

  /** @param isSubscribed whether the client receives events of the target channel */
  move({ message_ids, new_stream_id }: Json, isSubscribed: boolean): void {
    for (const id of message_ids) {
      const message = this.#messages.get(id);
      if (message !== undefined && isSubscribed) message.channel = new_stream_id;
      else this.#messages.delete(id);
    }
  }

  /** A client that is not subscribed receives no more events of the channel. */
  leave(channel: number): void {
    for (const [id, message] of this.#messages) if (message.channel === channel) this.#messages.delete(id);
  }

  /** Checks that fetched messages have the reactions and submessages of the events. */
  async compare(client: TestClient): Promise<void> {
    const message_ids = [...this.#messages.keys()];
    const { messages } = await client.ok('GET', '/messages', { message_ids });
    for (const { id, stream_id, reactions, submessages } of messages) {
      // Messages may have been moved without an event for the client.
      if (this.#messages.get(id)?.channel !== stream_id) continue;
      assert.deepEqual(this.#messages.get(id)?.reactions, reactions, `the reactions to message ${id}`);
      assert.deepEqual(this.#messages.get(id)?.submessages, submessages, `what is attached to message ${id}`);
    }
  }
}

function isSame(one: Json, other: Json): boolean {
  return (
    one.reaction_type === other.reaction_type && one.emoji_code === other.emoji_code && one.user_id === other.user_id
  );
}
