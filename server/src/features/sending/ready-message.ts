import { ApiError } from '@heddle/api/errors.ts';
import type { Directory } from '../../directory/directory.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';
import { changeAutomatically } from '../topics/actions.ts';
import { type Draft, type Prepared, prepareMessage } from './prepare.ts';

/** A message that was checked and rendered before the change in which it is wanted. */
export class ReadyMessage {
  readonly #draft: Draft;
  #prepared: Prepared;
  #preparedAt: number;

  /** @throws ApiError for whatever makes the message impossible */
  constructor(directory: Directory, draft: Draft) {
    this.#draft = draft;
    this.#preparedAt = directory.changedAt;
    this.#prepared = prepareMessage(directory, draft, Date.now());
  }

  /** Of a direct message: who is in the conversation, ascending. */
  get participants(): readonly number[] | null {
    return this.#draft.conversation?.participants ?? null;
  }

  /**
   * The message as it would be sent now; made again only where the directory has changed.
   * @throws ApiError where it has become impossible
   */
  asOf(directory: Directory): Prepared {
    if (this.#preparedAt !== directory.changedAt) {
      this.#prepared = prepareMessage(directory, this.#draft, Date.now());
      this.#preparedAt = directory.changedAt;
    }
    return this.#prepared;
  }
}

/**
 * Sends messages in another feature's change, with all that a send has: what it changes of people's policies for its topic, too.
 * @returns for each why it has become impossible; undefined where it is sent
 */
export async function sendReady(
  change: OrdinaryChange,
  messages: readonly ReadyMessage[],
): Promise<readonly (ApiError | undefined)[]> {
  const { db, directory, append, send } = change;
  const prepared = messages.map((message) => preparedOrRefused(message, directory));
  const inTopics = prepared.flatMap((one) => (one instanceof ApiError || one.inTopic === null ? [] : one.inTopic));
  const changes = await changeAutomatically(db, directory, inTopics);
  const byTopic = new Map(inTopics.map((inTopic, place) => [inTopic, changes[place]] as const));
  return prepared.map((one) => {
    if (one instanceof ApiError) return one;
    const policies = one.inTopic === null ? undefined : byTopic.get(one.inTopic);
    for (const event of policies?.events ?? []) append(event);
    send(one.message);
    return undefined;
  });
}

function preparedOrRefused(message: ReadyMessage, directory: Directory): Prepared | ApiError {
  try {
    return message.asOf(directory);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
