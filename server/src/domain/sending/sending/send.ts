import { ApiError } from '@heddle/api/errors.ts';
import { activeUser } from '../../../directory/active-user.ts';
import type { OptimisticChange } from '../../../directory/change.ts';
import type { Directory } from '../../../directory/directory.ts';
import {
  type AppendedKind,
  appendResult,
  type GroupedKind,
  type ItemResult,
} from '../../../directory/grouped-kinds.ts';
import type { Outcome } from '../../../log/group-commit.ts';
import { type AutomaticChange, changeAutomatically } from '../../topics/automatic.ts';
import type { Policy } from '../../topics/policies.ts';
import { type LinkableFiles, linkableFiles, markLinked, NewLinks } from '../../uploads/links.ts';
import type { Prepared } from './prepare.ts';
import type { ReadyMessage } from './ready-message.ts';
import { type NewMessage, sendMessage } from './send-message.ts';

export interface SentMessage {
  readonly messageId: number;
  /** The sender's policy for the topic, if sending changed it. */
  readonly newPolicy: Policy | undefined;
}

/**
 * Sends messages that change nothing else. A `ReadyMessage` is checked and rendered (`ready-message.ts`). `asOf` checks it
 * again if the directory has changed since, and returns it *prepared*: with everything that the log writes.
 */
export const plainSends: AppendedKind<ReadyMessage, SentMessage> = {
  // Its HTML is written twice: in the message and in its event.
  weightOf: ({ renderedLength }) => 2 * renderedLength,
  resultFor(message, directory) {
    const prepared = outcomeOf(() => message.asOf(directory));
    return 'error' in prepared ? prepared : sending(prepared.result.message);
  },
};

/**
 * Sends messages that change topic policies of their senders or of mentioned users. These messages are rare: a user
 * starts a topic, or is mentioned in it for the first time.
 */
export const sendsWithPolicies: GroupedKind<ReadyMessage, SentMessage> = {
  name: 'sends with topic policies',
  write: writeMessages,
};

/**
 * Sends messages in an optimistic or exclusive transaction, with everything that belongs to them.
 * @returns for each message its id, which is set after the commit, or the error that refuses it
 */
export async function sendReady(
  change: OptimisticChange,
  messages: readonly ReadyMessage[],
): Promise<readonly (SentMessage | ApiError)[]> {
  const itemResults = await writeMessages(change, messages);
  return itemResults.map((itemResult) => {
    const outcome = appendResult(itemResult, change);
    if ('result' in outcome) return outcome.result;
    if (outcome.error instanceof ApiError) return outcome.error;
    throw outcome.error;
  });
}

/**
 * Checks the messages, and writes everything that changes with them: links to uploaded files and topic policies. It
 * locks the files. So the HTML matches the state of the files at the commit, and no other transaction deletes them
 * meanwhile. Each itemResult writes its message later, in the last statement.
 */
async function writeMessages(
  { db, directory }: Pick<OptimisticChange, 'db' | 'directory'>,
  messages: readonly ReadyMessage[],
): Promise<readonly ItemResult<SentMessage>[]> {
  const files = await filesOf({ db, directory }, messages);
  const prepared = messages.map((message) => {
    const found = files.get(message);
    return outcomeOf(() => (found === undefined ? message.asOf(directory) : message.with(found, directory)));
  });
  const able = prepared.flatMap((one) => ('error' in one ? [] : one.result));
  const inTopics = able.flatMap(({ inTopic }) => inTopic ?? []);
  const changes = inTopics.length === 0 ? [] : await changeAutomatically(db, directory, inTopics);
  const policiesOf = new Map(inTopics.map((inTopic, place) => [inTopic, changes[place]] as const));
  const links = new NewLinks();
  const linked = new Map(able.map((one) => [one, links.next(one.files, one.message.sentAt)]));
  const attachmentIds = [...linked.values()].flatMap((one) => one?.attachmentIds ?? []);
  await markLinked(db, directory.organization.id, attachmentIds);
  return prepared.map((one): ItemResult<SentMessage> => {
    if ('error' in one) return one;
    const { message, inTopic } = one.result;
    const links = linked.get(one.result);
    return sending(
      { ...message, ...(links && { files: links }) },
      inTopic === null ? undefined : policiesOf.get(inTopic),
    );
  });
}

function sending(message: NewMessage, policies?: AutomaticChange): ItemResult<SentMessage> {
  const result = { messageId: 0, newPolicy: policies?.policy };
  return {
    result,
    events: policies?.events ?? [],
    write(entry) {
      sendMessage(entry, message, (messageId) => {
        result.messageId = messageId;
      });
    },
  };
}

function outcomeOf(prepare: () => Prepared): Outcome<Prepared> {
  try {
    return { result: prepare() };
  } catch (error) {
    return { error };
  }
}

/** Locks the files that the texts name, and returns what each message can link to. */
async function filesOf(
  { db, directory }: { readonly db: OptimisticChange['db']; readonly directory: Directory },
  messages: readonly ReadyMessage[],
): Promise<ReadonlyMap<ReadyMessage, LinkableFiles>> {
  const naming = messages.filter(
    ({ namesFiles, senderId }) => namesFiles && directory.user(senderId)?.isActive === true,
  );
  if (naming.length === 0) return new Map();
  const texts = naming.map(({ content, senderId }) => ({ user: activeUser(directory, senderId), content }));
  const found = await linkableFiles(db, directory, texts, 'change');
  return new Map(naming.flatMap((message, place) => [[message, found[place] ?? new Map()]]));
}
