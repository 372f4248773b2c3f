import { channelName, personEmail, personName } from '../harness/population.ts';
import { upTo } from '../harness/site.ts';
import type { Attack } from '../loads/attack.ts';
import { ask, callsOf, type Scene } from './attacker.ts';
import { worstChanges } from './worst-changes.ts';

/** Size of a form just below the limit, in bytes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024 - 1000;
const MAX_MESSAGE_LENGTH = 10_000;

/** The most expensive requests of one account, by kind. */
export function worstRequests(scene: Scene): ReadonlyMap<string, Attack> {
  const { userIds, channelId, newestMessage } = scene;
  const call = callsOf(scene);
  const form = (path: string, body: string): string => {
    const head = call('POST', path).replace(/Content-Length: 0/, `Content-Length: ${body.length}`);
    return head + body;
  };
  const json = (body: string): string =>
    form(`/external/json?stream=${encodeURIComponent(channelName(0))}`, body).replace(
      /Content-Type: .*/,
      'Content-Type: application/json',
    );
  const newest = { anchor: 'newest', num_after: 0 };
  const heavy = { op: 'add', flag: 'starred', messages: upTo(50_000).map((index) => newestMessage - index) };
  const message = (content: string) =>
    call('POST', '/messages', { type: 'channel', to: channelName(0), topic: 'heavy', content });
  const people = userIds.slice(0, 500);
  const subscriptions = (json: string) => form('/users/me/subscriptions', `subscriptions=${json}`);

  const requests: readonly (readonly [kind: string, attack: Attack])[] = [
    [
      'a page of 5,000 messages',
      ask(call('GET', '/messages', { ...newest, anchor: newestMessage - 20_000, num_before: 5000 })),
    ],
    [
      'the most that a page may weigh',
      ask(call('GET', '/messages', { ...newest, num_before: 3200, apply_markdown: true })),
    ],
    [
      '2,700 messages by their ids',
      ask(call('GET', '/messages', { message_ids: upTo(2700).map((index) => newestMessage - 20_000 - index) })),
    ],
    ['100 terms', ask(call('GET', '/messages', { ...newest, num_before: 5000, narrow: hundredTerms(userIds) }))],
    [
      'unread, without a match',
      ask(
        call('GET', '/messages', {
          anchor: 'first_unread',
          num_before: 2500,
          num_after: 2500,
          narrow: [
            ['is', 'unread'],
            ['topic', 'nowhere'],
          ],
        }),
      ),
    ],
    [
      'a sender, without a match',
      ask(
        call('GET', '/messages', {
          ...newest,
          num_before: 5000,
          narrow: [
            ['sender', personEmail(0)],
            ['topic', 'nowhere'],
          ],
        }),
      ),
    ],
    ['all topics', ask(call('GET', `/users/me/${channelId}/topics`))],
    ['all users', ask(call('GET', '/users', { client_gravatar: false, include_custom_profile_fields: true }))],
    ['all channels', ask(call('GET', '/streams', { include_all: true }))],
    ['own channels', ask(call('GET', '/users/me/subscriptions', { include_subscribers: true }))],
    ['subscribers', ask(call('GET', `/streams/${channelId}/members`))],
    ['everything at once', ask(call('POST', '/register', { include_subscribers: true, apply_markdown: true }))],
    [
      'everything, of what changes',
      ask(
        ...['A', 'B'].flatMap((name) => [
          call('PATCH', '/settings', { full_name: `${name} of ${scene.ownMessage}` }),
          call('POST', '/register', {}),
        ]),
      ),
    ],
    ['emphasis', ask(message('*a ['.repeat(MAX_MESSAGE_LENGTH / 4)))],
    ['emphasis that never ends', ask(message('@*a****'.repeat(MAX_MESSAGE_LENGTH / 7)))],
    ['emoji', ask(message('😀'.repeat(MAX_MESSAGE_LENGTH / 2)))],
    [
      'mentions',
      ask(
        message(
          upTo(700)
            .map((index) => `@**${personName(index)}**`)
            .join(' ')
            .slice(0, MAX_MESSAGE_LENGTH),
        ),
      ),
    ],
    ['nested quotes', ask(message('> - '.repeat(20).concat('a [b](c)\n').repeat(112)))],
    ['code', ask(message(`\`\`\`php\n${'$a->b("c", /* */ 1.5e3);\n'.repeat(380)}`))],
    ['a table', ask(message('a|b|c\n-|-|-\n'.concat('`a`|*b*|[c](d)\n'.repeat(660))))],
    ['a million characters', ask(message('a '.repeat(500_000)))],
    [
      '500 recipients',
      ask(
        ...upTo(20).map((turn) =>
          call('POST', '/messages', { type: 'direct', to: userIds.slice(turn, turn + 500), content: 'a' }),
        ),
      ),
    ],
    ['typing to 500', ask(call('POST', '/typing', { op: 'start', to: people }))],
    [
      '50,000 flags',
      ask(call('POST', '/messages/flags', heavy), call('POST', '/messages/flags', { ...heavy, op: 'remove' })),
    ],
    [
      '50,000 read and unread',
      ask(
        call('POST', '/messages/flags', { ...heavy, flag: 'read' }),
        call('POST', '/messages/flags', { ...heavy, flag: 'read', op: 'remove' }),
      ),
    ],
    [
      'snippets',
      ask(
        call('POST', '/saved_snippets', { title: 'a', content: 'a'.repeat(MAX_MESSAGE_LENGTH) }),
        call('GET', '/saved_snippets'),
      ),
    ],
    ['unknown queues', ask(call('GET', '/events', { queue_id: 'a'.repeat(9000), last_event_id: -1 }))],
    ['lists in lists', ask(subscriptions('['.repeat(MAX_BODY_BYTES)))],
    ['a million objects', ask(subscriptions(`[${'{},'.repeat(MAX_BODY_BYTES / 3)}{}]`))],
    [
      'one object of 300,000 fields',
      ask(form('/register', `client_capabilities={${upTo(300_000).map((index) => `"k${index}":0`)}}`)),
    ],
    ['a webhook of 140,000 fields', ask(json(`{${upTo(140_000).map((index) => `"k${index}":1`)}}`))],
    ['a webhook of 20,000 fields', ask(json(`{${upTo(20_000).map((index) => `"k${index}":1`)}}`))],
    ['a webhook of 900,000 numbers', ask(json(`[${'1,'.repeat(900_000)}1]`))],
    ['a webhook of 350,000 numbers', ask(json(`[${'1,'.repeat(350_000)}1]`))],
    ['a webhook of 950,000 brackets', ask(json('['.repeat(950_000)))],
    ['a webhook of 60,000 texts', ask(json(`[${upTo(60_000).map((index) => `"t${index}"`)}]`))],
    [
      '200,000 texts in a list',
      ask(form('/users/me/subscriptions', `principals=[${upTo(200_000).map((index) => `"t${index}"`)}]`)),
    ],
    ['a million fields', ask(form('/messages', 'a&'.repeat(MAX_BODY_BYTES / 2)))],
    ['4 MB of blanks', ask(form('/messages', `content=${'+'.repeat(MAX_BODY_BYTES)}`))],
    ['4 MB of percent signs', ask(form('/messages', `content=${'%41'.repeat(MAX_BODY_BYTES / 3)}`))],
    ['a multipart form of 4 MB', ask(multipart(call('POST', '/messages')))],
    [
      '32 KB of header',
      ask(
        call('GET', '/users/me').replace(
          '\r\n\r\n',
          `\r\n${upTo(1500)
            .map((index) => `X-${index}: ${index}\r\n`)
            .join('')}\r\n`,
        ),
      ),
    ],
    ['a password', ask(call('POST', '/fetch_api_key', { username: personEmail(3), password: 'a'.repeat(100) }))],
    [
      'hosts that are not known',
      ask(
        ...upTo(200).map((index) =>
          call('GET', '/server_settings').replace(/Host: .*/, `Host: nowhere-${index}.127.0.0.1`),
        ),
      ),
    ],
    [
      'slow bodies',
      {
        how: 'dawdle',
        beginning: form('/messages', '').replace('Content-Length: 0', 'Content-Length: 4000000'),
        connections: 300,
      },
    ],
    ['slow headers', { how: 'dawdle', beginning: 'GET / HTTP/1.1\r\nX-', connections: 500 }],
    [
      'answers that nobody reads',
      { how: 'not read', request: call('POST', '/register', { include_subscribers: true }), connections: 64 },
    ],
    ['connections that hang up', { how: 'hang up', request: call('POST', '/register', {}), connections: 20 }],
    ...worstChanges(scene),
  ];
  return new Map(requests);
}

/** Terms that make the query plan long. All are different, and each excludes only few messages. */
function hundredTerms(userIds: readonly number[]): readonly object[] {
  const not = (operator: string, operand: unknown) => ({ operator, operand, negated: true });
  return [
    ...['unread', 'starred', 'mentioned', 'dm'].map((state) => not('is', state)),
    ...userIds.slice(0, 32).map((id) => not('dm-including', id)),
    ...userIds.slice(0, 32).map((id) => not('sender', id)),
    ...userIds.slice(0, 16).map((id) => not('dm', [id, id + 1, id + 2])),
    ...upTo(16).map((index) => not('topic', `topic ${index}`)),
  ];
}

function multipart(request: string): string {
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  const body = `${part.repeat(Math.floor((MAX_BODY_BYTES - 10) / part.length))}--b--\r\n`;
  return request
    .replace(/Content-Type: .*/, 'Content-Type: multipart/form-data; boundary=b')
    .replace('Content-Length: 0', `Content-Length: ${body.length}`)
    .concat(body);
}
