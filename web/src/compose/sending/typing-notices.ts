import type { Caller } from '@heddle/client/calls/operation.ts';
import { setTyping } from '@heddle/client/calls/operations.ts';
import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';

/** If the server says nothing about them, in milliseconds. */
const DEFAULT_REPEAT_MS = 10_000;
const DEFAULT_STOP_MS = 5_000;

type Settings = Pick<Model, 'account' | 'organization' | 'ownId'>;

/** Tells the others in a conversation that the user is writing, as often as the server wants. */
export class TypingNotices {
  readonly #connection: Caller;
  readonly #model: () => Settings;
  #place: Place | undefined;
  #notifiedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: Caller, model: () => Settings) {
    this.#connection = connection;
    this.#model = model;
  }

  /** The user has edited a message to this conversation. */
  typed(place: Place | undefined): void {
    if (this.#place !== undefined && (place === undefined || keyOf(place) !== keyOf(this.#place))) this.stop();
    if (place === undefined || !this.#isAllowed(place)) return;
    const { server } = this.#model().organization;
    const now = Date.now();
    const repeat = server.typing_started_wait_period_milliseconds ?? DEFAULT_REPEAT_MS;
    if (this.#place === undefined || now - this.#notifiedAt >= repeat) {
      this.#place = place;
      this.#notifiedAt = now;
      this.#tell('start', place);
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(), server.typing_stopped_wait_period_milliseconds ?? DEFAULT_STOP_MS);
  }

  /** The user stopped writing without sending. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#place !== undefined) this.#tell('stop', this.#place);
    this.#place = undefined;
  }

  /** The user sent the message. It ends the notice by itself. */
  sent(): void {
    clearTimeout(this.#timer);
    this.#place = undefined;
  }

  #isAllowed(place: Place): boolean {
    const { send_stream_typing_notifications, send_private_typing_notifications } = this.#model().account.settings;
    if (place.kind === 'topic') return send_stream_typing_notifications;
    return send_private_typing_notifications && place.userIds.length > 0;
  }

  #tell(op: 'start' | 'stop', place: Place): void {
    const { ownId } = this.#model();
    const to =
      place.kind === 'topic'
        ? { type: 'channel' as const, stream_id: place.channelId, topic: place.topic }
        : { type: 'direct' as const, to: [...place.userIds, ownId] };
    // A notice that is lost is no problem: it is about this moment.
    setTyping(this.#connection, { op, ...to }).catch(() => undefined);
  }
}
