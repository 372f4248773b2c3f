/** The contents of the notifications that are sent now. */
import { sql } from 'kysely';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../access/limits.ts';
import { asInaccessible, canAccessId } from '../../access/people.ts';
import { isUnread } from '../../access/unread-messages.ts';
import type { Db } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import { avatarOf, unknownAvatarUrl } from '../../domain/users/users/avatars.ts';
import type { ExternalAddress } from '../../extension/external-address.ts';
import { DEVICE_COLUMNS, type DeviceRow, type PushDevice, toDevice } from '../../push/devices.ts';
import type { MessageNotice } from './payloads.ts';
import { plainText } from './plain-text.ts';
import type { Waiting } from './waiting.ts';

interface MessageRow {
  readonly id: number;
  readonly sender_id: number;
  readonly channel_id: number | null;
  readonly topic: string;
  readonly rendered_content: string;
  readonly sent_at: number;
  readonly participants: number[] | null;
}

/** The devices of the users that the push service knows. Index: the primary key. */
export async function devicesOf(
  db: Db,
  organizationId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, readonly PushDevice[]>> {
  const { rows } = await sql<DeviceRow>`
    SELECT ${DEVICE_COLUMNS} FROM push_devices
     WHERE organization_id = ${organizationId} AND user_id = ANY (${userIds}::integer[]) AND state = 'active'
     ORDER BY user_id, id`.execute(db);
  return Map.groupBy(rows.map(toDevice), ({ userId }) => userId);
}

/** Those of the messages that their users have not read. Indexes: the primary keys. */
export async function stillUnread(
  db: Db,
  organizationId: number,
  waiting: readonly Waiting[],
): Promise<ReadonlySet<Waiting>> {
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
        : {
            channel: { id: channel.id, name: channel.name },
            topic: row.topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : row.topic,
          },
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
