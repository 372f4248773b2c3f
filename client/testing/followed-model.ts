/**
 * The model of the app, which follows the events of a queue. It fails if an event does not fit what the client knows, and
 * compares the result with the state of a new registration.
 */
import assert from 'node:assert/strict';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import { KnownFiles } from '@heddle/server/testing/operations/filing.ts';
import type { InitialState, ServerEvent } from '../src/calls/types.ts';
import { Model } from '../src/model/model.ts';
import { checkDerived } from './derived-state.ts';
import { EventFit } from './event-fit.ts';
import { KnownMessages } from './known-messages.ts';
import { Remainder } from './remainder.ts';
import { checkStated, WITHOUT_NETWORK } from './stated-model.ts';
import { Unknown } from './unknown.ts';

/** What the client requested that the initial state does not say. */
export interface Requested {
  /** Lists of subscribers. */
  readonly subscribers?: boolean;
  /** Placeholders for inaccessible users. */
  readonly placeholders?: boolean;
  /** Archived channels. Default: true. */
  readonly archived?: boolean;
}

export class FollowedModel {
  readonly model: Model;
  readonly #ownId: number;
  readonly #requested: Required<Requested>;
  readonly #unknown: Unknown;
  readonly #fit: EventFit;
  readonly #remainder: Remainder;
  readonly #messages: KnownMessages;
  readonly #files = new KnownFiles();

  /**
   * @param ownId the user. The state of a client that does not fetch users does not say it
   * @param state the response of `POST /register`
   * @param options connect the model, if it shall load or send something
   * @param previous the model before a new registration
   */
  constructor(
    ownId: number,
    state: Json,
    { subscribers = true, placeholders = false, archived = true }: Requested = {},
    options = WITHOUT_NETWORK,
    previous?: Model,
  ) {
    const initial: InitialState = { ...state, user_id: ownId };
    this.#ownId = ownId;
    this.#requested = { subscribers, placeholders, archived };
    this.model = new Model(initial, options, previous);
    this.#unknown = new Unknown(ownId, { subscribers, users: initial.realm_users !== undefined, archived });
    this.#fit = new EventFit(this.model, initial, (id) => this.#unknown.isHidden(id));
    this.#remainder = new Remainder(state, placeholders);
    this.#messages = new KnownMessages(this.model);
  }

  apply(event: Json): void {
    const one: ServerEvent = event;
    this.#fit.check(one);
    this.#unknown.add(one);
    this.#remainder.apply(one);
    if (one.type === 'attachment') this.#files.apply(one);
    this.#fit.checkApplied(one, this.model.apply(one));
    this.#messages.follow(one);
  }

  /**
   * Fails unless the model equals that of a client that registers now.
   * @param fresh the response of `POST /register` to that client, which requested the same
   * @param accounts users who may have been deactivated. Some clients receive no events about users
   */
  compare(fresh: Json, accounts: Iterable<number> = []): void {
    const complete = new FollowedModel(this.#ownId, fresh, this.#requested);
    const { isComplete } = this.model.bots;
    assert.deepEqual(
      this.#unknown.without(this.model, isComplete, accounts),
      this.#unknown.without(complete.model, isComplete, accounts),
    );
    assert.deepEqual(this.#remainder.plain(), complete.#remainder.plain());
    checkDerived(fresh, complete.model);
    checkStated(this.model);
  }

  /** Fails unless the messages and files that events announced are as the server returns them now. */
  async compareFetched(client: TestClient): Promise<void> {
    await this.#messages.compare(client);
    await this.#files.compare(client);
  }
}
