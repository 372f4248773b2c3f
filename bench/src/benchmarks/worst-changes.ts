import { emojiData } from '@heddle/server/markup/index.ts';
import { png } from '../harness/png.ts';
import { channelName, personName } from '../harness/population.ts';
import { upTo } from '../harness/site.ts';
import type { Attack } from '../loads/attack.ts';
import { ask, callsOf, type Scene } from './attacker.ts';

/** Maximum length of a message, in characters. */
const MAX_MESSAGE_LENGTH = 10_000;
/** Maximum width and height of an image, in pixels. */
const MAX_PICTURE_PIXELS = 5000;

/** The most expensive changes of messages, groups and personal data by one account, by kind. */
export function worstChanges(scene: Scene): readonly (readonly [kind: string, attack: Attack])[] {
  const { userIds, channelId, newestMessage, ownMessage } = scene;
  const call = callsOf(scene);
  const texts = ['*a ['.repeat(MAX_MESSAGE_LENGTH / 4), mentions(), `a|b\n-|-\n${'`a`|[c](d)\n'.repeat(900)}`];
  const everything = {
    anchor: 'newest',
    num_before: 5000,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: channelId }],
  };
  const emoji = Object.values(emojiData.code_to_names).map(([name = '']) => name);
  return [
    ['edits', ask(...texts.map((content) => call('PATCH', `/messages/${ownMessage}`, { content })))],
    [
      'a topic that moves to and fro',
      ask(
        ...['long', 'longer'].map((topic) =>
          call('PATCH', `/messages/${newestMessage}`, { topic, propagate_mode: 'change_all' }),
        ),
      ),
    ],
    [
      'reactions',
      ask(...emoji.map((emoji_name) => call('POST', `/messages/${newestMessage}/reactions`, { emoji_name }))),
    ],
    [
      'a narrow read and unread',
      ask(
        ...['add', 'remove'].map((op) => call('POST', '/messages/flags/narrow', { ...everything, op, flag: 'read' })),
      ),
    ],
    [
      'a narrow starred',
      ask(
        ...['add', 'remove'].map((op) =>
          call('POST', '/messages/flags/narrow', { ...everything, op, flag: 'starred' }),
        ),
      ),
    ],
    ['all read', ask(call('POST', '/mark_all_as_read'))],
    [
      'settings of topics',
      ask(
        ...upTo(2000).map((index) =>
          call('POST', '/user_topics', { stream_id: channelId, topic: `topic ${index}`, visibility_policy: 3 }),
        ),
      ),
    ],
    [
      'groups of everybody',
      ask(
        ...upTo(50).map((index) =>
          call('POST', '/user_groups/create', {
            name: `group ${index} of ${ownMessage}`,
            description: '',
            members: userIds,
          }),
        ),
      ),
    ],
    [
      'reports',
      ask(
        ...texts.map((description) =>
          call('POST', `/messages/${newestMessage}/report`, {
            report_type: 'other',
            description: description.slice(0, 1000),
          }),
        ),
      ),
    ],
    [
      'scheduled messages',
      ask(
        ...texts.map((content) =>
          call('POST', '/scheduled_messages', {
            type: 'channel',
            to: channelId,
            topic: 'later',
            content,
            scheduled_delivery_timestamp: 2_000_000_000,
          }),
        ),
      ),
    ],
    [
      'a channel with everybody',
      ask(
        ...upTo(20).map((index) =>
          call('POST', '/users/me/subscriptions', {
            subscriptions: [{ name: `crowd ${index} of ${ownMessage}` }],
            principals: userIds,
          }),
        ),
      ),
    ],
    ['pictures', ask(...upTo(50).map((index) => picture(call('POST', `/realm/emoji/picture_${ownMessage}_${index}`))))],
    [
      'the history of a message',
      ask(
        ...upTo(10).map((index) =>
          call('PATCH', `/messages/${ownMessage}`, {
            content: `${'😀😃'.repeat(MAX_MESSAGE_LENGTH / 4 - 2)} ${index}`,
          }),
        ),
        ...upTo(200).map(() => call('GET', `/messages/${ownMessage}/history`)),
      ),
    ],
    ['all groups', ask(call('GET', '/user_groups'))],
    [
      'leaving and coming back',
      ask(
        call('DELETE', '/users/me/subscriptions', { subscriptions: [channelName(0)] }),
        call('POST', '/users/me/subscriptions', { subscriptions: [{ name: channelName(0) }] }),
      ),
    ],
    [
      'many channels',
      ask(
        ...upTo(20).map((turn) =>
          call('POST', '/users/me/subscriptions', {
            subscriptions: upTo(200).map((index) => ({ name: `${turn}-${index} of ${ownMessage}` })),
          }),
        ),
      ),
    ],
    ['all of many channels', ask(call('GET', '/streams', { include_all: true }))],
  ];
}

function mentions(): string {
  return upTo(700)
    .map((index) => `@**${personName(index)}**`)
    .join(' ')
    .slice(0, MAX_MESSAGE_LENGTH);
}

let encoded: string | undefined;

/** A form with the largest image. */
function picture(request: string): string {
  encoded ??= png(MAX_PICTURE_PIXELS, MAX_PICTURE_PIXELS).toString('latin1');
  const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n${encoded}\r\n--b--\r\n`;
  return request
    .replace(/Content-Type: .*/, 'Content-Type: multipart/form-data; boundary=b')
    .replace('Content-Length: 0', `Content-Length: ${body.length}`)
    .concat(body);
}
