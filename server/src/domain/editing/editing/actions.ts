import { badRequest } from '@heddle/api/errors.ts';
import { accessMessages, type SeenMessage } from '../../../access/message-door.ts';
import { OneOfEachWithin } from '../../../directory/one-at-a-time.ts';
import type { OptimisticChange, Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { hasSubmessages } from '../../messages/submessages/actions.ts';
import { noticeContextOf } from '../../sending/sending/notices.ts';
import type { Attachment } from '../../uploads/present.ts';
import { checkText, type EditedContent, editContent, type NewText, newText } from './content.ts';
import { keptMentions } from './mentions.ts';
import { type MovedSoFar, type Mover, moveThread } from './moves.ts';
import { readersOf } from './readers.ts';
import { type EditRequest, plannedMove } from './request.ts';
import { appendUpdate } from './update-event.ts';

/**
 * Edits of the same message wait for each other here, in the process. Otherwise each would wait for the message's row,
 * time out, and retry with the organization lock held. Then everyone would wait while a long text is processed.
 */
const textsOf = new OneOfEachWithin<Organization, number>();

/**
 * Changes a message: its text, its channel or topic, or both (interface document, "PATCH /messages/{message_id}"). This
 * is one commit, except for very long topics. These move some thousands of messages per commit, the newest first and
 * the named message last. So the same request continues a move that was interrupted.
 * @returns the caller's files to which no message links any more
 * @throws ApiError if the caller is not allowed to do it
 */
export async function editMessage(
  app: Pick<AppContext, 'address' | 'config' | 'db' | 'secret'>,
  organization: Organization,
  caller: UserRecord,
  request: EditRequest,
): Promise<readonly Attachment[]> {
  const { directory } = organization;
  const organizationUrl = app.address.of(directory.organization.subdomain);
  const { content } = request;
  const text = content === undefined ? undefined : await newText(app, organization, caller, content);
  const noticeContext = noticeContextOf(directory, caller, organizationUrl);
  const mover: Omit<Mover, 'user' | 'at'> = { request, noticeContext, organizationUrl };
  const carryOut = () => editPieces(organization, caller, mover, text);
  return text === undefined ? carryOut() : textsOf.run(organization, request.messageId, carryOut);
}

async function editPieces(
  organization: Organization,
  caller: UserRecord,
  mover: Omit<Mover, 'user' | 'at'>,
  text: NewText | undefined,
): Promise<readonly Attachment[]> {
  let detached: readonly Attachment[] = [];
  const noteDetached = (files: readonly Attachment[]): void => {
    detached = files;
  };
  let before: Progress | undefined;
  do {
    if (before !== undefined) await organization.yieldToOthers();
    const soFar = before;
    const act = (change: OptimisticChange, user: UserRecord) =>
      edit(change, { ...mover, user, noteDetached }, text, soFar);
    const isLarge = mover.request.propagation !== 'change_one';
    before = await organization.transact(caller, 'optimistic', act, { isLarge });
  } while (before !== undefined);
  return detached;
}

/** What the previous commits of a long move did. */
interface Progress {
  readonly moved: MovedSoFar;
  /** The channel and topic of the named message when the move began. */
  readonly place: string;
}

/** @returns undefined when the edit is complete */
async function edit(
  change: OptimisticChange,
  { request, user, noteDetached, ...mover }: Omit<Mover, 'at'> & { noteDetached(files: readonly Attachment[]): void },
  text: NewText | undefined,
  before: Progress | undefined,
): Promise<Progress | undefined> {
  const { db, directory } = change;
  const organizationId = directory.organization.id;
  const { messageId } = request;
  const need = text === undefined ? 'react' : 'edit-content';
  // Sent together, and executed in this order. The first locks the message, so the others read its final state.
  const [[message], kept, isWidget] = await Promise.all([
    accessMessages(db, directory, user, [messageId], need, 'change'),
    text === undefined ? { rows: false, many: false } : keptMentions(db, organizationId, messageId),
    text === undefined ? false : hasSubmessages(db, organizationId, messageId),
  ]);
  if (message === undefined) throw new Error('a message that may be edited is not there');
  if (isWidget) throw badRequest('Widgets cannot be edited.');
  const place = JSON.stringify([message.channelId, message.topic]);
  // Another request has moved the named message meanwhile. The rest of its new topic must stay there.
  if (before !== undefined && before.place !== place) return undefined;
  const move = plannedMove(directory, user, message, request);
  const at = Math.floor(Date.now() / 1000);
  const previousHash = request.previousHash ?? null;
  const editTo = async (to: NewText): Promise<EditedContent> => {
    const content = await editContent(change, user, message, to, { at, previousHash, kept });
    noteDetached(content.detached);
    return content;
  };
  const edited = (): Promise<EditedContent> | null => (text === undefined ? null : editTo(text));
  if (text === undefined && previousHash !== null) await checkText(db, organizationId, messageId, previousHash);
  if (move === undefined) {
    await editAlone(change, user, message, await edited(), at);
    return undefined;
  }
  const moved = await moveThread(change, { ...mover, request, user, at }, message, move, edited, before?.moved);
  return moved.isDone ? undefined : { moved, place };
}

async function editAlone(
  change: OptimisticChange,
  user: UserRecord,
  message: SeenMessage,
  content: EditedContent | null,
  at: number,
): Promise<void> {
  const { readers, audience } = await readersOf(change.db, change.directory, message);
  appendUpdate(change, { user, at, message, messageIds: [message.id], content, readers, audience });
}
