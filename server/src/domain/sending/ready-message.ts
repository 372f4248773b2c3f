import { ApiError } from '@heddle/api/errors.ts';
import { activeUser } from '../../directory/active-user.ts';
import type { Directory } from '../../directory/directory.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';
import { changeAutomatically } from '../topics/automatic.ts';
import { type LinkableFiles, linkableFiles, markLinked, NewLinks } from '../uploads/links.ts';
import { filesNamedIn } from '../uploads/names.ts';
import { type Draft, type Prepared, prepareMessage } from './prepare.ts';
import { sendMessage } from './send-message.ts';

/** A message that was checked and rendered before the change that sends it. */
export class ReadyMessage {
  readonly #draft: Draft;
  #prepared: Prepared;
  #preparedAt: number;

  /** @throws ApiError if the message is invalid or not allowed */
  constructor(directory: Directory, draft: Draft) {
    this.#draft = draft;
    this.#preparedAt = directory.changedAt;
    this.#prepared = prepareMessage(directory, draft, Date.now());
  }

  /** The participants of the conversation, ascending; null for a channel message. */
  get participants(): readonly number[] | null {
    return this.#draft.conversation?.participants ?? null;
  }

  /**
   * The message with the directory of this moment. It is prepared again only if the directory has changed.
   * @throws ApiError if it is no longer valid or allowed
   */
  asOf(directory: Directory): Prepared {
    if (this.#preparedAt !== directory.changedAt) {
      this.#prepared = prepareMessage(directory, this.#draft, Date.now());
      this.#preparedAt = directory.changedAt;
    }
    return this.#prepared;
  }

  /**
   * The same with the uploaded files as the sending change has locked them.
   * @throws ApiError if it is no longer valid or allowed
   */
  with(files: LinkableFiles, directory: Directory): Prepared {
    return prepareMessage(directory, { ...this.#draft, files }, Date.now());
  }

  get senderId(): number {
    return this.#draft.senderId;
  }

  get content(): string {
    return this.#draft.content;
  }
}

/**
 * Sends messages in the change of another feature, with all effects of a send, such as changes of topic policies.
 * @returns for each message its error, or undefined if it is sent
 */
export async function sendReady(
  change: OrdinaryChange,
  messages: readonly ReadyMessage[],
): Promise<readonly (ApiError | undefined)[]> {
  const { db, directory, entry, append } = change;
  const files = await filesOf(change, messages);
  const prepared = messages.map((message) => preparedOrRefused(message, directory, files.get(message)));
  const inTopics = prepared.flatMap((one) => (one instanceof ApiError || one.inTopic === null ? [] : one.inTopic));
  const changes = await changeAutomatically(db, directory, inTopics);
  const byTopic = new Map(inTopics.map((inTopic, place) => [inTopic, changes[place]] as const));
  const links = new NewLinks();
  const linked = prepared.map((one) =>
    one instanceof ApiError ? undefined : links.next(one.files, one.message.sentAt),
  );
  await markLinked(
    db,
    directory.organization.id,
    linked.flatMap((one) => one?.attachmentIds ?? []),
  );
  return prepared.map((one, place) => {
    if (one instanceof ApiError) return one;
    const policies = one.inTopic === null ? undefined : byTopic.get(one.inTopic);
    for (const event of policies?.events ?? []) append(event);
    const files = linked[place];
    sendMessage(entry, { ...one.message, ...(files && { files }) });
    return undefined;
  });
}

/** Locks the files that the texts name, and returns what each message can link to. */
async function filesOf(
  { db, directory }: OrdinaryChange,
  messages: readonly ReadyMessage[],
): Promise<ReadonlyMap<ReadyMessage, LinkableFiles>> {
  const naming = messages.filter(
    ({ content, senderId }) => filesNamedIn(content).length > 0 && directory.user(senderId)?.isActive === true,
  );
  if (naming.length === 0) return new Map();
  const texts = naming.map(({ content, senderId }) => ({ user: activeUser(directory, senderId), content }));
  const found = await linkableFiles(db, directory, texts, 'change');
  return new Map(naming.flatMap((message, place) => [[message, found[place] ?? new Map()]]));
}

function preparedOrRefused(
  message: ReadyMessage,
  directory: Directory,
  files: LinkableFiles | undefined,
): Prepared | ApiError {
  try {
    return files === undefined ? message.asOf(directory) : message.with(files, directory);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
