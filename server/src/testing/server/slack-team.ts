/** The export of a small Slack workspace, as Slack and the usual tools for files and emoji write it. */
import sharp from 'sharp';

const DAY = 1_763_000_000;

const person = (id: string, name: string, fullName: string, more: object = {}) => ({
  ...{ id, team_id: 'T0WEAVERS', name, real_name: fullName, deleted: false, is_bot: false, tz: 'Europe/Berlin' },
  ...{ profile: { real_name: fullName, display_name: name, email: `${name}@weavers.example` }, ...more },
});

const USERS = [
  person('U0000ADA', 'ada', 'Ada Lovelace', { is_primary_owner: true, is_owner: true, is_admin: true }),
  person('U0000BOB', 'bob', 'Bob Weaver'),
  person('U0000CYN', 'cyn', 'Cynthia Reed', { is_admin: true }),
  person('U0000DAN', 'dan', 'Dan Shuttle', { is_restricted: true }),
  person('U0000OLD', 'old', 'Olaf Gone', { deleted: true }),
];

const channel = (id: string, name: string, members: readonly string[], more: object = {}) => ({
  ...{ id, name, created: 1_690_000_000, creator: 'U0000ADA', is_archived: false, is_general: false, members },
  ...{ topic: { value: '' }, purpose: { value: `About ${name}` }, ...more },
});

const STAFF = ['U0000ADA', 'U0000BOB', 'U0000CYN', 'U0000DAN'];

/** Messages of everyday life, so that a page of history is full. */
function chatter(folder: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    type: 'message',
    user: STAFF[index % 3],
    ts: `${DAY + index * 60}.000${100 + index}`,
    text: `${folder} *${index}*: <https://example.com/${index}|a pattern> for <@${STAFF[(index + 1) % 3]}>`,
  }));
}

const THREAD = `${DAY + 9000}.000200`;

const LOOMS = [
  ...chatter('looms', 60),
  {
    ...{ type: 'message', user: 'U0000BOB', ts: THREAD, thread_ts: THREAD, reply_count: 1 },
    text: 'Which reed for the new pattern?',
    reactions: [{ name: 'loom', users: ['U0000ADA'], count: 1 }],
  },
  { type: 'message', user: 'U0000ADA', ts: `${DAY + 9060}.000300`, thread_ts: THREAD, text: 'The fine one' },
  {
    ...{ type: 'message', user: 'U0000ADA', ts: `${DAY + 9120}.000400`, text: 'the plan' },
    files: [
      { id: 'F00PLAN01', name: 'plan.txt', mode: 'hosted', url_private: 'https://files.slack.com/F00PLAN01/plan.txt' },
    ],
  },
];

const RELEASES = [
  ...chatter('releases', 40),
  {
    ...{ type: 'message', subtype: 'bot_message', bot_id: 'B0000CI', username: 'CI', ts: `${DAY + 9000}.000100` },
    ...{ text: '', attachments: [{ title: 'Build 41', title_link: 'https://ci.example.com/41', text: 'passed' }] },
  },
];

const message = (user: string, text: string) => [{ type: 'message', user, ts: `${DAY + 9300}.000100`, text }];

export const PLAN = 'Warp first, then weft.\n';

/** The entries of the zip archive. */
export async function slackTeam(): Promise<readonly (readonly [string, string | Uint8Array])[]> {
  const picture = await sharp({ create: { width: 48, height: 48, channels: 3, background: '#785020' } })
    .png()
    .toBuffer();
  const day = '2025-11-13';
  const documents: Readonly<Record<string, unknown>> = {
    'users.json': USERS,
    'channels.json': [
      channel('C00GENRL', 'general', STAFF, { is_general: true }),
      channel('C000LOOM', 'looms', STAFF),
      channel('C00RELEA', 'releases', STAFF.slice(0, 3)),
    ],
    'groups.json': [channel('G0FOUNDR', 'founders', ['U0000ADA', 'U0000CYN'])],
    'dms.json': [{ id: 'D00ADABO', created: 1_690_000_000, members: ['U0000ADA', 'U0000BOB'] }],
    'mpims.json': [],
    'integration_logs.json': [],
    'canvases.json': [],
    [`general/${day}.json`]: chatter('general', 100),
    [`looms/${day}.json`]: LOOMS,
    [`releases/${day}.json`]: RELEASES,
    [`founders/${day}.json`]: message('U0000ADA', 'The secret number is 4711'),
    [`D00ADABO/${day}.json`]: message('U0000BOB', 'The key is under the stone'),
  };
  return [
    ...Object.entries(documents).map(([path, content]) => [path, JSON.stringify(content, null, 1)] as const),
    ['__uploads/F00PLAN01/plan.txt', PLAN],
    ['emoji/loom.png', picture],
    ['avatars/U0000ADA.png', picture],
  ];
}
