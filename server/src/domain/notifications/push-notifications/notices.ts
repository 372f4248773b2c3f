/** The contents of the notifications that are sent now. */
import { sql } from 'kysely';
import { asInaccessible, canAccessId } from '../../../access/people.ts';
import { isUnread } from '../../../access/unread-messages.ts';
import type { Db } from '../../../db/schema.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { ExternalAddress } from '../../../extension/external-address.ts';
import { avatarOf, unknownAvatarUrl } from '../../users/users/avatars.ts';
import { plainText } from './plain-text.ts';

/** A message, as the notice for one user. */
export interface MessageNotice {
  readonly messageId: number;
  readonly sender: {
    readonly id: number;
    readonly email: string;
    readonly fullName: string;
    readonly avatarUrl: string;
  };
  /** Seconds since the epoch. */
  readonly sentAt: number;
  readonly place:
    | { readonly channel: { readonly id: number; readonly name: string }; readonly topic: string }
    /** Ascending. */
    | { readonly participants: readonly { readonly id: number; readonly fullName: string }[] };
  /** Plain text, shortened. */
  readonly content: string;
  readonly mention: 'none' | 'personal' | 'everyone' | { readonly groupId: number; readonly groupName: string };
}

/** A notification that waits, as far as its notice depends on it. */
interface Waiting {
  readonly user_id: number;
  readonly message_id: number;
  readonly cause: string;
  readonly group_id: number | null;
}

interface MessageRow {
  readonly id: number;
  readonly sender_id: number;
  readonly channel_id: number | null;
  readonly topic: string;
  readonly rendered_content: string;
  readonly sent_at: number;
  readonly participants: number[] | null;
}

/** Those of the messages that their users have not read. Indexes: the primary keys. */
export async function stillUnread<One extends Waiting>(
  db: Db,
  organizationId: number,
  waiting: readonly One[],
): Promise<ReadonlySet<One>> {
  const { rows } = await sql<{ place: number }>`
    SELECT one.place::integer
      FROM unnest(${waiting.map(({ user_id }) => user_id)}::integer[],
                  ${waiting.map(({ message_id }) => message_id)}::bigint[])
             WITH ORDINALITY AS one (user_id, message_id, place)
      JOIN messages m ON m.organization_id = ${organizationId} AND m.id = one.message_id
     WHERE ${isUnread({ organizationId, userId: sql.ref('one.user_id') })}`.execute(db);
  return new Set(rows.flatMap(({ place }) => waiting[place - 1] ?? []));
}

/** The notices of the messages, without what depends on the user; each text is made once. Index: the primary key. */
export async function noticesOf(
  db: Db,
  directory: Directory,
  address: ExternalAddress,
  messageIds: readonly number[],
): Promise<ReadonlyMap<number, MessageNotice>> {
  const organizationId = directory.organization.id;
  const { rows } = await sql<MessageRow>`
    SELECT m.id, m.sender_id, m.channel_id, m.topic, m.rendered_content,
           floor(extract(epoch FROM m.sent_at))::bigint AS sent_at,
           (SELECT participants FROM direct_conversations c
             WHERE c.organization_id = ${organizationId} AND c.id = m.conversation_id) AS participants
      FROM messages m
     WHERE m.organization_id = ${organizationId} AND m.id = ANY (${messageIds}::bigint[])`.execute(db);
  const notices = rows.flatMap((row) => {
    const notice = noticeOf(directory, address, row);
    return notice === undefined ? [] : [[row.id, notice] as const];
  });
  return new Map(notices);
}

function noticeOf(directory: Directory, address: ExternalAddress, row: MessageRow): MessageNotice | undefined {
  const sender = directory.correspondent(row.sender_id);
  const channel = row.channel_id === null ? undefined : directory.channel(row.channel_id);
  if (sender === undefined || (row.channel_id !== null && channel === undefined)) return undefined;
  const people = (row.participants ?? []).map((id) => ({ id, fullName: directory.correspondent(id)?.fullName ?? '' }));
  const base = address.of(directory.organization.subdomain);
  return {
    messageId: row.id,
    sender: {
      id: sender.id,
      email: sender.email,
      fullName: sender.fullName,
      avatarUrl: new URL(avatarOf(directory, sender).url, base).href,
    },
    sentAt: row.sent_at,
    place:
      channel === undefined
        ? { participants: people }
        : { channel: { id: channel.id, name: channel.name }, topic: row.topic },
    content: plainText(row.rendered_content),
    mention: 'none',
  };
}

/** The notice for one user. */
export function asShownTo(
  directory: Directory,
  all: MessageNotice,
  { user_id: userId, cause, group_id: groupId }: Waiting,
  organizationUrl: string,
): MessageNotice {
  const reader = directory.user(userId);
  const isKnown = reader === undefined || canAccessId(directory, reader, all.sender.id);
  const notice = isKnown ? all : fromInaccessible(directory, all, organizationUrl);
  if (cause === 'everyone') return { ...notice, mention: 'everyone' };
  if (cause !== 'mentioned') return notice;
  const group = groupId === null ? undefined : directory.groups.all.get(groupId);
  return { ...notice, mention: group === undefined ? 'personal' : { groupId: group.id, groupName: group.name } };
}

function fromInaccessible(directory: Directory, notice: MessageNotice, organizationUrl: string): MessageNotice {
  const avatarUrl = new URL(unknownAvatarUrl('small'), organizationUrl).href;
  return { ...notice, sender: { ...asInaccessible(directory, notice.sender), avatarUrl } };
}
