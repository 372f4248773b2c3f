/** Sends the answers of a bot, each one once. */
import type { Connection } from '../calls/connection.ts';
import { isOutcomeUnknown, isTemporary } from '../calls/errors.ts';
import { getMessages, type SendMessageParameters, sendMessage } from '../calls/operations.ts';
import type { AnnouncedMessage, NarrowTerm } from '../calls/types.ts';
import { BackOff } from './back-off.ts';
import { keepTrying, waitAfter } from './retrying.ts';

/** The bot knows at least this many of its newest messages. */
const MIN_KNOWN_MESSAGES = 1_000;
/** A lost answer is looked for among this many messages of the bot after the message that it answers. */
const MAX_EXAMINED_MESSAGES = 100;

export class Replies {
  readonly #connection: Connection;
  readonly #ownId: number;
  readonly #signal: AbortSignal;
  /** The IDs of messages that the server has acknowledged. They are not the lost ones. */
  #acknowledged = new Set<number>();
  #earlier = new Set<number>();

  /** @param ownId the user ID of the bot */
  constructor(connection: Connection, ownId: number, signal: AbortSignal) {
    this.#connection = connection;
    this.#ownId = ownId;
    this.#signal = signal;
  }

  /**
   * Sends the answer, and tries again after failures of the network and the server. If a response was lost, it looks for
   * the message before it sends it again. Returns the ID of the message.
   *
   * @throws ApiError if the server refuses the message, or the last error when the bot is stopped
   */
  async send(message: AnnouncedMessage, content: string): Promise<number> {
    const parameters = { ...placeOf(message, this.#ownId), content };
    const backOff = new BackOff();
    let isPossiblySent = false;
    for (;;) {
      try {
        const { id } = await sendMessage(this.#connection, parameters, { signal: this.#signal });
        return this.#acknowledge(id);
      } catch (error) {
        if (!isTemporary(error)) throw error;
        isPossiblySent ||= isOutcomeUnknown(error);
        await waitAfter(error, backOff, this.#signal);
        const found = isPossiblySent ? await this.#find(message, content) : undefined;
        if (found !== undefined) return this.#acknowledge(found);
        if (this.#signal.aborted) throw error;
      }
    }
  }

  async #find(message: AnnouncedMessage, content: string): Promise<number | undefined> {
    const narrow = [{ operator: 'sender', operand: this.#ownId }, ...narrowOf(message, this.#ownId)];
    const range = { anchor: message.id, include_anchor: false, num_after: MAX_EXAMINED_MESSAGES };
    const answer = await keepTrying(
      () =>
        getMessages(
          this.#connection,
          { ...range, narrow, apply_markdown: false, allow_empty_topic_name: true },
          { signal: this.#signal },
        ),
      this.#signal,
    );
    return answer?.messages.find((one) => one.content.trim() === content.trim() && !this.#knows(one.id))?.id;
  }

  #knows(id: number): boolean {
    return this.#acknowledged.has(id) || this.#earlier.has(id);
  }

  #acknowledge(id: number): number {
    if (this.#acknowledged.size >= MIN_KNOWN_MESSAGES) {
      this.#earlier = this.#acknowledged;
      this.#acknowledged = new Set();
    }
    this.#acknowledged.add(id);
    return id;
  }
}

/** Where the answer goes: the same topic, or the other people of the conversation. */
function placeOf(message: AnnouncedMessage, ownId: number): Omit<SendMessageParameters, 'content'> {
  if (message.stream_id !== undefined) return { type: 'channel', to: message.stream_id, topic: message.subject };
  return { type: 'direct', to: othersIn(message, ownId) };
}

function narrowOf(message: AnnouncedMessage, ownId: number): readonly NarrowTerm[] {
  if (message.stream_id === undefined) return [{ operator: 'dm', operand: othersIn(message, ownId) }];
  return [
    { operator: 'channel', operand: message.stream_id },
    { operator: 'topic', operand: message.subject },
  ];
}

function othersIn({ display_recipient: people, sender_id: senderId }: AnnouncedMessage, ownId: number): number[] {
  if (typeof people === 'string') return [senderId];
  return people.map(({ id }) => id).filter((id) => id !== ownId);
}
