/** What `mara` has for herself: drafts, scheduled messages, reminders, stars, snippets, settings of topics. */
import type { Person } from '../browser-world.ts';
import type { Short } from './sample-people.ts';

const DAY_SECONDS = 86_400;

export async function ownThings(
  people: Readonly<Record<Short, Person>>,
  channels: Readonly<Record<string, number>>,
  messages: Readonly<Record<string, number>>,
): Promise<void> {
  const { client } = people.mara;
  const now = Math.floor(Date.now() / 1000);
  const announcement = 'Version 4.2 is out: better tides for 212 harbours. Thank you all!';
  await client.ok('POST', '/drafts', {
    drafts: [
      {
        type: 'stream',
        to: [channels.announcements],
        topic: 'release 4.2',
        content: announcement,
        timestamp: now - 900,
      },
      {
        type: 'private',
        to: [people.sam.client.userId],
        topic: '',
        content: 'Could you check the numbers of Bergen before',
        timestamp: now - 5400,
      },
    ],
  });
  const tomorrow = now + DAY_SECONDS;
  await client.ok('POST', '/scheduled_messages', {
    type: 'channel',
    to: channels.announcements,
    topic: 'company meeting',
    content: 'The meeting begins in ten minutes. The link is in the calendar.',
    scheduled_delivery_timestamp: tomorrow,
  });
  await client.ok('POST', '/scheduled_messages', {
    type: 'direct',
    to: [people.greta.client.userId],
    content: 'Welcome back! Here is what happened while you were away.',
    scheduled_delivery_timestamp: tomorrow + 3 * DAY_SECONDS,
  });
  const note = 'Before the call with the harbour';
  const reminder = { message_id: messages.mention, scheduled_delivery_timestamp: tomorrow, note };
  await client.ok('POST', '/reminders', reminder);
  const starred = [messages.formula, messages.pictures, messages.minutes];
  await client.ok('POST', '/messages/flags', { messages: starred, op: 'add', flag: 'starred' });
  await client.ok('POST', '/saved_snippets', {
    title: 'Thanks for the report',
    content: 'Thank you! We look at it today.',
  });
  await client.ok('POST', '/user_topics', {
    stream_id: channels.engineering,
    topic: 'tide model v2',
    visibility_policy: 3,
  });
  await client.ok('POST', '/users/me/alert_words', { alert_words: ['harbour', 'storm'] });
  await client.ok('POST', `/users/me/muted_users/${people.luca.client.userId}`);
  await client.ok('PATCH', `/messages/${messages.own}`, { content: 'Perfect, one o’clock in the small room.' });
  await client.ok('POST', '/invites/multiuse', { include_realm_default_subscriptions: true });
}
