import { FollowedModel } from '../../../../client/testing/followed-model.ts';
import type { Account } from '../faults/server-for-clients.ts';
import { until } from '../server/until.ts';
import { TestClient } from './client.ts';
import { EventCursor } from './event-cursor.ts';
import type { Json } from './json.ts';

/** The capabilities that existing clients declare when they register. The values are encoded as they are sent. */
export const AS_AN_APP = {
  apply_markdown: 'true',
  client_gravatar: 'false',
  include_subscribers: 'true',
  client_capabilities: JSON.stringify({
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    pinned_messages: true,
    gif_picker: true,
    brief_users: true,
  }),
} as const;

/** The model of a client, which its events keep up to date while the client does other things. */
export class LiveModel {
  readonly #account: Account;
  readonly #followed: FollowedModel;
  readonly #cursor: EventCursor;
  /** Events that no caller has waited for yet. */
  readonly #events: Json[] = [];
  #failure: { readonly error: unknown } | undefined;

  /** @param state the initial state of a client that registered with `AS_AN_APP` */
  constructor(account: Account, state: Json) {
    this.#account = account;
    this.#followed = new FollowedModel(account.id, state, { placeholders: true });
    this.#cursor = new EventCursor(state.last_event_id);
  }

  get lastEventId(): number {
    return this.#cursor.lastEventId;
  }

  accept(events: readonly Json[]): void {
    this.#cursor.accept(events);
    for (const event of events) {
      this.#followed.apply(event);
      this.#events.push(event);
    }
  }

  /** Reading failed: rejects callers that wait for an event. */
  fail(error: unknown): void {
    this.#failure = { error };
  }

  /** Waits for the first matching event, and removes it and all earlier ones from the list. */
  async next(fits: (event: Json) => boolean): Promise<Json> {
    return until(() => {
      if (this.#failure !== undefined) throw this.#failure.error;
      const at = this.#events.findIndex(fits);
      return this.#events.splice(0, at + 1).at(-1);
    }, 'a matching event');
  }

  /**
   * Fails unless the state equals that of a client that registers now.
   * @param fresh the initial state of that client
   */
  async compare(fresh: Json): Promise<void> {
    const { id: userId, username: email, apiKey, realm: url } = this.#account;
    this.#followed.compare(fresh);
    const client = new TestClient({ url, host: new URL(url).host, email, apiKey, userId, name: email });
    await this.#followed.compareFetched(client);
  }
}
