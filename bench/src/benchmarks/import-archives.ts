/** Archives of other programs for the benchmark `import`: the same conversations in each format. */
import { upTo } from '../harness/site.ts';
import { wordOf } from '../harness/words.ts';

/** The content of an archive: paths and files. */
export type Entries = Generator<readonly [string, string]>;

const USERS = 200;
export const CHANNELS = 50;
const BEGIN_MS = Date.UTC(2020, 0, 1);
const INTERVAL_MS = 43_000;
/** Every thread has this many messages of its channel. */
const THREAD_LENGTH = 5;

interface Message {
  readonly index: number;
  readonly channel: number;
  readonly sender: number;
  /** The first message of its thread. */
  readonly root: number;
  readonly sentAt: number;
  readonly editedAt: number | null;
  readonly words: readonly string[];
  readonly mentioned: number | null;
  /** Users who reacted with a heart. */
  readonly reacting: readonly number[];
}

function messageAt(index: number): Message {
  const place = Math.floor(index / CHANNELS);
  return {
    index,
    channel: index % CHANNELS,
    sender: (index * 7) % USERS,
    root: index - (place % THREAD_LENGTH) * CHANNELS,
    sentAt: timeOf(index),
    editedAt: index % 20 === 0 ? timeOf(index + 1) : null,
    words: upTo(12).map((word) => wordOf(1 + ((index * 31 + word * word * 7) % 5000))),
    mentioned: index % 4 === 0 ? index % USERS : null,
    reacting: index % 5 === 0 ? [index % USERS, (index + 1) % USERS] : [],
  };
}

const timeOf = (index: number) => BEGIN_MS + index * INTERVAL_MS;

/** All messages in runs of some length, in the order of time. */
function* runsOf(count: number, length: number): Generator<readonly Message[]> {
  for (let first = 0; first < count; first += length)
    yield upTo(Math.min(length, count - first)).map((index) => messageAt(first + index));
}

const MESSAGES_PER_DAY = 2000;

/** A workspace with threads, mentions, reactions and edits. All users are in all channels. */
export function* slackEntries(count: number): Entries {
  const users = upTo(USERS).map((user) => ({
    ...{ id: `U${user}`, name: `user${user}`, real_name: `User ${user}`, is_owner: user === 0 },
    profile: { email: `user${user}@bench.invalid` },
  }));
  const members = users.map(({ id }) => id);
  yield ['users.json', JSON.stringify(users)];
  yield [
    'channels.json',
    JSON.stringify(upTo(CHANNELS).map((channel) => ({ id: `C${channel}`, name: `channel-${channel}`, members }))),
  ];
  for (const [day, messages] of [...runsOf(count, MESSAGES_PER_DAY)].entries()) {
    const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);
    for (const [channel, some] of Map.groupBy(messages, (message) => message.channel))
      yield [`channel-${channel}/${date}.json`, JSON.stringify(some.map(slackMessage))];
  }
}

function slackMessage({ index, sender, root, words, mentioned, reacting, editedAt }: Message) {
  const ts = (number: number) => `${timeOf(number) / 1000}.${String(number % 1_000_000).padStart(6, '0')}`;
  const mention = mentioned === null ? '' : ` <@U${mentioned}>`;
  return {
    type: 'message',
    user: `U${sender}`,
    ts: ts(index),
    thread_ts: ts(root),
    ...(root === index && { reply_count: THREAD_LENGTH - 1 }),
    text: `*${words[0]}* ${words.slice(1).join(' ')}${mention} &amp; <https://example.com/${index}|link>`,
    ...(reacting.length > 0 && { reactions: [{ name: 'heart', users: reacting.map((user) => `U${user}`) }] }),
    ...(editedAt !== null && { edited: { ts: ts(index + 1) } }),
  };
}

/** A team with threads, mentions, reactions and edits. All users are in all channels. */
export function* mattermostEntries(count: number): Entries {
  yield ['import.jsonl', [...mattermostLines(count)].map((line) => JSON.stringify(line)).join('\n')];
}

function* mattermostLines(count: number): Generator<object> {
  yield { type: 'version', version: 1 };
  yield { type: 'team', team: { name: 'bench', display_name: 'Bench', type: 'O' } };
  const channels = upTo(CHANNELS).map((channel) => ({ name: `channel-${channel}`, roles: 'channel_user' }));
  for (const { name } of channels)
    yield { type: 'channel', channel: { team: 'bench', name, display_name: name, type: 'O' } };
  const teams = [{ name: 'bench', roles: 'team_user', channels }];
  for (const user of upTo(USERS)) {
    const [username, email] = [`user${user}`, `user${user}@bench.invalid`];
    yield { type: 'user', user: { username, email, roles: `system_user${user === 0 ? ' system_admin' : ''}`, teams } };
  }
  // The replies are in the line of their post, so all messages of a thread belong to one line.
  for (const messages of runsOf(count, CHANNELS * THREAD_LENGTH)) {
    for (const [, [root, ...replies]] of Map.groupBy(messages, (message) => message.root)) {
      if (root === undefined) continue;
      const place = { team: 'bench', channel: `channel-${root.channel}` };
      yield { type: 'post', post: { ...place, ...mattermostPost(root), replies: replies.map(mattermostPost) } };
    }
  }
}

function mattermostPost({ index, sender, words, mentioned, reacting, sentAt, editedAt }: Message) {
  const mention = mentioned === null ? '' : ` @user${mentioned}`;
  return {
    user: `user${sender}`,
    message: `**${words[0]}** ${words.slice(1).join(' ')}${mention} & [link](https://example.com/${index})`,
    create_at: sentAt,
    ...(editedAt !== null && { edit_at: editedAt }),
    reactions: reacting.map((user) => ({ user: `user${user}`, emoji_name: 'heart', create_at: sentAt })),
  };
}

/** The reference server writes this many messages into a file, with a row for each user who received one. */
const MESSAGES_PER_FILE = 1000;
const SUBSCRIBERS = 20;
const [FIRST_USER, FIRST_CHANNEL, FIRST_RECIPIENT, FIRST_MESSAGE] = [500, 3000, 6000, 100_000];

/** Each channel has 20 subscribers. */
const subscribersOf = (channel: number) => upTo(SUBSCRIBERS).map((user) => (channel * 4 + user) % USERS);

/** An organization with topics, mentions, reactions, edits and the flags of each received message. */
export function* zulipEntries(count: number): Entries {
  const reacted = [...runsOf(count, MESSAGES_PER_FILE)].flat().flatMap(zulipReactions);
  yield ['realm.json', JSON.stringify({ ...zulipTables(), zerver_reaction: reacted })]; // wire name: its file and table
  let number = 0;
  for (const messages of runsOf(count, MESSAGES_PER_FILE)) {
    number += 1;
    const tables = { zerver_message: messages.map(zulipMessage), zerver_usermessage: messages.flatMap(zulipFlags) };
    yield [`messages-${String(number).padStart(6, '0')}.json`, JSON.stringify(tables)];
  }
}

function zulipTables() {
  const joined = BEGIN_MS / 1000;
  return {
    zerver_realm: [{ id: 2, string_id: 'bench', name: 'Bench', description: '' }], // wire name: its table
    zerver_userprofile: upTo(USERS).map((user) => ({
      ...{ id: FIRST_USER + user, full_name: `User ${user}`, delivery_email: `user${user}@bench.invalid` },
      ...{ is_active: true, is_bot: false, role: user === 0 ? 100 : 400, date_joined: joined, timezone: '' },
    })),
    // wire name: its table
    zerver_stream: upTo(CHANNELS).map((channel) => ({
      ...{ id: FIRST_CHANNEL + channel, name: `channel-${channel}`, description: '' },
      ...{ invite_only: false, date_created: joined },
    })),
    zerver_recipient: upTo(CHANNELS).map((channel) => ({
      ...{ id: FIRST_RECIPIENT + channel, type: 2, type_id: FIRST_CHANNEL + channel },
    })),
    zerver_subscription: upTo(CHANNELS).flatMap((channel) =>
      subscribersOf(channel).map((user) => ({
        ...{ user_profile: FIRST_USER + user, recipient: FIRST_RECIPIENT + channel, active: true },
      })),
    ),
  };
}

function zulipMessage({ index, channel, sender, root, words, mentioned, sentAt, editedAt }: Message) {
  const mention = mentioned === null ? '' : ` @**User ${mentioned}|${FIRST_USER + mentioned}**`;
  return {
    ...{ id: FIRST_MESSAGE + index, sender: FIRST_USER + sender, recipient: FIRST_RECIPIENT + channel },
    subject: `thread ${root}`, // wire name: its column
    content: `**${words[0]}** ${words.slice(1).join(' ')}${mention} & [link](https://example.com/${index})`,
    date_sent: sentAt / 1000,
    last_edit_time: editedAt === null ? null : editedAt / 1000,
    ...(editedAt !== null && {
      edit_history: JSON.stringify([
        { user_id: FIRST_USER + sender, timestamp: editedAt / 1000, prev_content: words.join(' ') },
      ]),
    }),
  };
}

const zulipReactions = ({ index, reacting }: Message) =>
  reacting.map((user) => ({
    ...{ message: FIRST_MESSAGE + index, user_profile: FIRST_USER + user, emoji_name: 'heart' },
    ...{ emoji_code: '2764', reaction_type: 'unicode_emoji' },
  }));

/** Bits of the flags of a user's message. */
const [READ, STARRED, MENTIONED] = [1, 2, 8];

const zulipFlags = ({ index, channel, mentioned }: Message) =>
  subscribersOf(channel).map((user) => ({
    ...{ user_profile: FIRST_USER + user, message: FIRST_MESSAGE + index },
    flags_mask:
      ((index + user) % 10 === 0 ? 0 : READ) |
      ((index + user) % 97 === 0 ? STARRED : 0) |
      (user === mentioned ? MENTIONED : 0),
  }));
