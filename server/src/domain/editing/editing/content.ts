import { type ApiError, expectationMismatch } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { SeenMessage } from '../../../access/message-door.ts';
import { executePrepared } from '../../../db/prepared.ts';
import type { DbTransaction } from '../../../db/schema.ts';
import type { OptimisticChange, Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { whileUnchanged } from '../../../directory/while-unchanged.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { turn } from '../../../http/limits/turns.ts';
import { type RenderedMarkup, renderMessage } from '../../../markup/index.ts';
import { checkedContent } from '../../sending/sending/checking.ts';
import { linkedTopics } from '../../sending/sending/linked-topics.ts';
import { markupLookup } from '../../sending/sending/markup-lookup.ts';
import { isLong } from '../../sending/sending/prepare.ts';
import { linkTargetsIn, renderingIn } from '../../sending/sending/rendering.ts';
import { relinkMessage } from '../../uploads/attachments.ts';
import { filesLinkedBy, type LinkableFiles, linkableFiles, NO_FILES } from '../../uploads/links.ts';
import { filesNamedIn } from '../../uploads/names.ts';
import type { Attachment } from '../../uploads/present.ts';
import type { ContentChange, MessageText } from './body.ts';
import { whomMentions } from './mentioned.ts';
import { changeMentions, type KeptMentions } from './mentions.ts';

/** The text of a message whose text was removed by an edit. */
const DELETED = '(deleted)';

/** The new text of a message. */
export interface NewText {
  readonly content: string;
  /** Renders the text. The change does not render it again, unless the directory has changed. */
  readonly render: (content: string) => RenderedMarkup;
  /** The same for a text that may link to uploaded files. */
  readonly renderWith: (content: string, files: LinkableFiles) => RenderedMarkup;
}

/**
 * Renders the new text of a message, before anything is locked.
 * @throws ApiError for an invalid text
 */
export async function newText(
  app: Pick<AppContext, 'address' | 'config' | 'db' | 'secret'>,
  { directory }: Organization,
  caller: UserRecord,
  asked: string,
): Promise<NewText> {
  const content = checkedContent(asked.trim() === '' ? DELETED : asked);
  if (isLong(content)) await turn();
  const topics = await linkedTopics(app.db, directory, caller, content);
  const targets = linkTargetsIn(app, directory);
  const renderWith = (text: string, files: LinkableFiles): RenderedMarkup => {
    const author = directory.user(caller.id) ?? caller;
    return renderMessage(text, markupLookup(directory, author, files, topics), renderingIn(directory, author, targets));
  };
  const render = whileUnchanged(directory, (text) => renderWith(text, NO_FILES));
  render(content);
  return { content, render, renderWith };
}

export interface EditedContent extends ContentChange {
  /**
   * Whether it affects mentions of everyone or of many. Then changes that were checked meanwhile must be checked again.
   */
  readonly concernsMany: boolean;
  /** The author's files to which no message links any more. */
  readonly detached: readonly Attachment[];
}

/**
 * Changes the text of a locked message (interface document, "PATCH /messages/{message_id}").
 * @throws ApiError for mentions that the user is not allowed, or if the present text is not the one that the client
 * expects
 */
export async function editContent(
  change: OptimisticChange,
  user: UserRecord,
  message: SeenMessage,
  { content, render, renderWith }: NewText,
  {
    at,
    previousHash,
    kept,
  }: { readonly at: number; readonly previousHash: string | null; readonly kept: KeptMentions },
): Promise<EditedContent> {
  const { db, directory } = change;
  const organizationId = directory.organization.id;
  const [files = NO_FILES] =
    filesNamedIn(content).length === 0 ? [] : await linkableFiles(db, directory, [{ user, content }], 'change');
  const rendered = files.size === 0 ? render(content) : renderWith(content, files);
  const mentioned = await whomMentions(db, directory, user, message, content, rendered);
  const after = { text: content, html: rendered.html };
  const [before, isMany] = await Promise.all([
    rewrite(db, organizationId, message.id, { user, at, after, rendered, previousHash }),
    changeMentions(db, organizationId, message.id, mentioned, kept),
  ]);
  if (before === undefined) throw otherText();
  const mayHaveLinked = filesNamedIn(before.text).length > 0;
  const detached =
    files.size === 0 && !mayHaveLinked
      ? []
      : await relinkMessage(change, user, message.id, filesLinkedBy(files, rendered.uploads));
  return {
    detached,
    before: { text: before.text, html: before.html },
    after,
    isMeMessage: rendered.isMeMessage,
    concernsMany: before.mentionedChannel !== rendered.mentionsChannel || kept.many || isMany,
  };
}

/**
 * @param hash the hash of the text that the client expects
 * @throws ApiError if the present text is another one
 */
export async function checkText(
  db: DbTransaction,
  organizationId: number,
  messageId: number,
  hash: string,
): Promise<void> {
  const { rows } = await sql`
    SELECT FROM messages
     WHERE organization_id = ${organizationId} AND id = ${messageId}
       AND encode(sha256(convert_to(content, 'UTF8')), 'hex') = lower(${hash}::text)`.execute(db);
  if (rows.length === 0) throw otherText();
}

function otherText(): ApiError {
  return expectationMismatch('prev_content_sha256');
}

interface Rewriting {
  readonly user: UserRecord;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly after: MessageText;
  readonly rendered: RenderedMarkup;
  /** The hash of the expected text; null for any text. */
  readonly previousHash: string | null;
}

interface Before extends MessageText {
  readonly mentionedChannel: boolean;
}

/**
 * Writes the new text and records the previous one. Returns the previous text, or undefined if its hash does not match.
 * Index: the primary key.
 */
async function rewrite(
  db: DbTransaction,
  organizationId: number,
  messageId: number,
  { user, at, after, rendered, previousHash }: Rewriting,
): Promise<Before | undefined> {
  const [before] = await executePrepared(
    db,
    'edit content',
    sql<Before>`
    WITH before AS MATERIALIZED (
      SELECT content, rendered_content, mentions_channel FROM messages
       WHERE organization_id = ${organizationId} AND id = ${messageId}
         AND (${previousHash}::text IS NULL
              OR encode(sha256(convert_to(content, 'UTF8')), 'hex') = lower(${previousHash}::text))
    ), edited AS (
      UPDATE messages
         SET content = ${after.text}, rendered_content = ${after.html}, is_me_message = ${rendered.isMeMessage},
             mentions_channel = ${rendered.mentionsChannel}, edited_at = to_timestamp(${at}::bigint),
             edit_count = edit_count + 1
        FROM before
       WHERE messages.organization_id = ${organizationId} AND messages.id = ${messageId}
      RETURNING messages.edit_count AS number
    ), kept AS (
      INSERT INTO message_edits (organization_id, message_id, number, user_id, edited_at, prev_content, prev_rendered_content)
      SELECT ${organizationId}, ${messageId}, edited.number, ${user.id}, to_timestamp(${at}::bigint), before.content,
             before.rendered_content
        FROM before, edited
    )
    SELECT content AS text, rendered_content AS html, mentions_channel AS "mentionedChannel" FROM before`,
  );
  return before;
}
