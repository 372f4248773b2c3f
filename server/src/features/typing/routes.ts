import { setTyping, setTypingInEdit } from '@heddle/api/endpoints/typing.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { accessChannel } from '../../access/channels.ts';
import { canAccess, usersWithAccessTo } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { checkCanAccessAll } from '../../domain/sending/sending/recipients.ts';
import { checkedTopic } from '../../domain/texts/shared/topic-names.ts';
import { type HeddleRoute, route } from '../../extension/app-context.ts';
import type { Audience } from '../../log/event.ts';
import { typeInEdit } from './editing.ts';
import type { TypingBody } from './events.ts';
import { checkTells, MAX_CHANNEL_SUBSCRIBERS, wantsToSee, withoutUninterested } from './interest.ts';

export function typingRoutes(): readonly HeddleRoute[] {
  return [
    route(setTyping, {}, async ({ parameters, organization, caller }) => {
      const { type, op, to, stream_id: channelId, topic } = parameters;
      if (type === 'channel' || type === 'stream') await typeInChannel(organization, caller, op, channelId, topic);
      else await typeDirectly(organization, caller, op, typeof to === 'number' ? [to] : to);
      return {};
    }),

    route(setTypingInEdit, {}, async ({ parameters, organization, caller }) => {
      await typeInEdit(organization, caller, parameters.op, parameters.message_id);
      return {};
    }),
  ];
}

async function typeInChannel(
  organization: Organization,
  caller: UserRecord,
  op: TypingBody['op'],
  channelId: number | undefined,
  topic: string | undefined,
): Promise<void> {
  if (channelId === undefined) throw badRequest("Missing 'stream_id' argument");
  if (topic === undefined) throw badRequest('Missing topic');
  checkTells(caller, 'channel');
  const { directory } = organization;
  const channel = accessChannel(directory, caller, channelId, 'type');
  const subscribers = [...directory.subscriptions.of(channel.id).keys()];
  if (subscribers.length > MAX_CHANNEL_SUBSCRIBERS) return;
  const body: TypingBody = { op, sender: person(caller), channelId: channel.id, topic: checkedTopic(topic) };
  const all = usersWithAccessTo(directory, caller, { to: 'subscribers', channelId: channel.id });
  const audience = withoutUninterested(directory, all, subscribers);
  await organization.announce({ type: 'typing', audience, body });
}

async function typeDirectly(
  organization: Organization,
  caller: UserRecord,
  op: TypingBody['op'],
  to: readonly number[] | undefined,
): Promise<void> {
  if (to === undefined) throw badRequest("Missing 'to' argument");
  checkTells(caller, 'direct');
  if (to.length === 0) throw badRequest("Empty 'to' list");
  const recipients = [...new Set([caller.id, ...to])]
    .sort((a, b) => a - b)
    .map((id) => {
      const user = organization.directory.correspondent(id);
      if (user === undefined) throw badRequest(`Invalid user ID ${id}`);
      return user;
    });
  const { directory } = organization;
  checkCanAccessAll(directory, caller, recipients);
  const body: TypingBody = { op, sender: person(caller), recipients: recipients.map(person) };
  // Deactivated accounts get no notifications.
  const notified = recipients.filter(
    (recipient) => recipient.isActive && wantsToSee(recipient) && canAccessAll(directory, recipient, recipients),
  );
  const audience: Audience = { to: 'users', users: notified.map(({ id }) => id) };
  await organization.announce({ type: 'typing', audience, body });
}

/** A guest who cannot access some of the participants must not learn about them from typing notifications. */
function canAccessAll(directory: Directory, reader: UserRecord, users: readonly UserRecord[]): boolean {
  return users.every((user) => canAccess(directory, reader, user));
}

function person({ id, email }: UserRecord) {
  return { id, email };
}
