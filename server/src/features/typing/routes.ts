import { setTyping } from '@heddle/api/endpoints/typing.ts';
import { badRequest, missingParameter } from '@heddle/api/errors.ts';
import { accessChannel } from '../../access/channels.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { Audience } from '../../log/event.ts';
import { type HeddleRoute, route } from '../rooms.ts';
import { checkedTopic } from '../topic-names.ts';
import { settingOf } from '../user-settings/queries.ts';
import type { TypingBody } from './events.ts';

/** In larger channels nobody wants to know who is typing. */
const LARGEST_CHANNEL = 100;

export function typingRoutes(): readonly HeddleRoute[] {
  return [
    route(setTyping, {}, async ({ parameters, organization, caller }) => {
      const { type, op, to, stream_id: channelId, topic } = parameters;
      if (type === 'channel' || type === 'stream') await typeInChannel(organization, caller, op, channelId, topic);
      else await typeDirectly(organization, caller, op, typeof to === 'number' ? [to] : to);
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
  if (channelId === undefined) throw missingParameter('stream_id');
  if (topic === undefined) throw missingParameter('topic');
  if (!settingOf(caller, 'send_stream_typing_notifications')) {
    throw badRequest('User has disabled typing notifications for channel messages');
  }
  const { directory } = organization;
  const channel = accessChannel(directory, caller, channelId, 'type');
  const subscribers = [...directory.subscriptions.of(channel.id).keys()];
  if (subscribers.length > LARGEST_CHANNEL) return;
  const uninterested = subscribers.filter((userId) => !wantsToSee(directory.user(userId)));
  const body: TypingBody = { op, sender: person(caller), channelId: channel.id, topic: checkedTopic(topic) };
  const all: Audience = { to: 'subscribers', channelId: channel.id };
  const audience: Audience =
    uninterested.length === 0 ? all : { to: 'any', of: [all], except: { to: 'users', users: uninterested } };
  await organization.announce({ type: 'typing', audience, body });
}

async function typeDirectly(
  organization: Organization,
  caller: UserRecord,
  op: TypingBody['op'],
  to: readonly number[] | undefined,
): Promise<void> {
  if (to === undefined) throw missingParameter('to');
  if (!settingOf(caller, 'send_private_typing_notifications')) {
    throw badRequest('User has disabled typing notifications for direct messages');
  }
  if (to.length === 0) throw badRequest("Empty 'to' list");
  const recipients = [...new Set([caller.id, ...to])]
    .sort((a, b) => a - b)
    .map((id) => {
      const user = organization.directory.correspondent(id);
      if (user === undefined || !user.isActive) throw badRequest(`Invalid user ID ${id}`);
      return user;
    });
  const body: TypingBody = { op, sender: person(caller), recipients: recipients.map(person) };
  await organization.announce({
    type: 'typing',
    audience: { to: 'users', users: recipients.filter(wantsToSee).map((recipient) => recipient.id) },
    body,
  });
}

function wantsToSee(user: UserRecord | undefined): boolean {
  return user !== undefined && settingOf(user, 'receives_typing_notifications');
}

function person({ id, email }: UserRecord) {
  return { id, email };
}
