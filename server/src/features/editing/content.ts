import { expectationMismatch } from '@heddle/api/errors.ts';
import { sql } from 'kysely';
import { accessMessages } from '../../access/message-door.ts';
import { executePrepared } from '../../db/prepared.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { OrdinaryChange, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { whileUnchanged } from '../../directory/while-unchanged.ts';
import { turn } from '../../http/turns.ts';
import { type RenderedMarkup, renderMessage } from '../../markup/index.ts';
import { checkedContent, isLong, markupLookup, renderingIn } from '../sending/actions.ts';
import type { MessageText, MessageUpdateBody } from './body.ts';
import { whomMentions } from './mentioned.ts';
import { changeMentions, keptMentions } from './mentions.ts';
import { readersOf } from './readers.ts';
import { checkRequest, type EditRequest } from './request.ts';

/** What stands in the place of a text that was edited away. */
const DELETED = '(deleted)';

/**
 * Gives a message another text (interface document, "PATCH /messages/{message_id}"). It is rendered before anything is locked, and again
 * only where the directory has changed before the commit.
 * @throws ApiError for what forbids it
 */
export async function editContent(
  organization: Organization,
  caller: UserRecord,
  request: EditRequest & { readonly content: string },
  organizationUrl: string,
): Promise<void> {
  const content = checkedContent(request.content.trim() === '' ? DELETED : request.content);
  if (isLong(content)) await turn();
  const { directory } = organization;
  const render = whileUnchanged(directory, (text) =>
    renderMessage(
      text,
      markupLookup(directory, directory.user(caller.id) ?? caller),
      renderingIn(directory, organizationUrl),
    ),
  );
  render(content);
  await organization.ordinary(caller, (change, user) => edit(change, user, request, content, render));
}

async function edit(
  { db, directory, append }: OrdinaryChange,
  user: UserRecord,
  request: EditRequest,
  content: string,
  render: (content: string) => RenderedMarkup,
): Promise<void> {
  const organizationId = directory.organization.id;
  // Sent together, as what follows is.
  const [[message], kept] = await Promise.all([
    accessMessages(db, directory, user, [request.messageId], 'edit-content', 'change'),
    keptMentions(db, organizationId, request.messageId),
  ]);
  if (message === undefined) throw new Error('a message that may be edited is not there');
  checkRequest(directory, user, message, request);
  const rendered = render(content);
  const mentioned = await whomMentions(db, directory, user, message, rendered);
  const at = Math.floor(Date.now() / 1000);
  const after = { text: content, html: rendered.html };
  const rewriting = { user, at, after, rendered, previousHash: request.previousHash ?? null };
  const [before, { isMany, readers, audience }] = await Promise.all([
    rewrite(db, organizationId, message.id, rewriting),
    changeMentions(db, organizationId, message.id, mentioned, kept).then(async (many) => ({
      isMany: many,
      ...(await readersOf(db, directory, message)),
    })),
  ]);
  if (before === undefined) throw expectationMismatch("'prev_content_sha256' value does not match the expected value.");
  const channel = message.channelId === null ? undefined : directory.channel(message.channelId);
  const body: MessageUpdateBody = {
    userId: user.id,
    at,
    messageIds: [message.id],
    channel: channel === undefined ? null : { id: channel.id, name: channel.name },
    content: { before: { text: before.text, html: before.html }, after, isMeMessage: rendered.isMeMessage },
    readers,
  };
  append({
    type: 'update_message',
    audience,
    body,
    messageId: message.id,
    // Who is just marking it unread tells their clients whether it mentions them. Single users' marks wait for the edit; where everybody is
    // or many are concerned they are all looked at again, as after a change of the directory.
    ...((before.mentionedChannel !== rendered.mentionsChannel || kept.many || isMany) && { facts: [] }),
  });
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
