import { type ApiError, expectationMismatch } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import type { SeenMessage } from '../../access/message-door.ts';
import { executePrepared } from '../../db/prepared.ts';
import type { Db, DbTransaction } from '../../db/schema.ts';
import type { OrdinaryChange, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { whileUnchanged } from '../../directory/while-unchanged.ts';
import { turn } from '../../http/turns.ts';
import { type RenderedMarkup, renderMessage } from '../../markup/index.ts';
import { checkedContent, isLong, linkedTopics, markupLookup, renderingIn } from '../sending/actions.ts';
import {
  filesLinkedBy,
  filesNamedIn,
  type LinkableFiles,
  linkableFiles,
  NO_FILES,
  relinkMessage,
} from '../uploads/actions.ts';
import type { Attachment } from '../uploads/present.ts';
import type { ContentChange, MessageText } from './body.ts';
import { whomMentions } from './mentioned.ts';
import { changeMentions, type KeptMentions } from './mentions.ts';

/** What stands in the place of a text that was edited away. */
const DELETED = '(deleted)';

/** A text that a message is to have. */
export interface NewText {
  readonly content: string;
  /** What was rendered before the change is not rendered again in it, unless the directory has changed. */
  readonly render: (content: string) => RenderedMarkup;
  /** The same where the text may link to uploaded files. */
  readonly renderWith: (content: string, files: LinkableFiles) => RenderedMarkup;
}

/**
 * Renders what a message is to say, before anything is locked.
 * @throws ApiError for a text that no message may have
 */
export async function newText(
  db: Db,
  { directory }: Organization,
  caller: UserRecord,
  asked: string,
  organizationUrl: string,
): Promise<NewText> {
  const content = checkedContent(asked.trim() === '' ? DELETED : asked);
  if (isLong(content)) await turn();
  const topics = await linkedTopics(db, directory, caller, content);
  const renderWith = (text: string, files: LinkableFiles): RenderedMarkup => {
    const author = directory.user(caller.id) ?? caller;
    return renderMessage(
      text,
      markupLookup(directory, author, files, topics),
      renderingIn(directory, author, organizationUrl),
    );
  };
  const render = whileUnchanged(directory, (text) => renderWith(text, NO_FILES));
  render(content);
  return { content, render, renderWith };
}

export interface EditedContent extends ContentChange {
  /** Whether everybody or many are concerned: then whatever is checked at the same time must be checked again. */
  readonly concernsMany: boolean;
  /** The author's files to which no message links any more. */
  readonly detached: readonly Attachment[];
}

/**
 * Gives a locked message another text (interface document, "PATCH /messages/{message_id}").
 * @throws ApiError for whom the text mentions, or where the text that is there is not the one that the client takes it for
 */
export async function editContent(
  change: OrdinaryChange,
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
 * @param hash of the text that the client takes for the present one
 * @throws ApiError where it is another one
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
  /** Of the text that must be there; null for any. */
  readonly previousHash: string | null;
}

interface Before extends MessageText {
  readonly mentionedChannel: boolean;
}

/** Writes the new text, and keeps the one that was there, which it answers; undefined where its hash is another one. Index: the primary key. */
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
