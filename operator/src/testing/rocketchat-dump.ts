/** A dump of Rocket.Chat, as `mongodump` writes it. */
import { Binary, ObjectId, serialize } from 'bson';

type Documents = readonly object[];

const at = (seconds: number) => new Date(1_700_000_000_000 + 1000 * seconds);
const ada = { _id: 'uAda', username: 'ada', name: 'Ada' };
const bo = { _id: 'uBo', username: 'bo.weaver', name: 'Bo' };
const robot = { _id: 'uBot', username: 'robot' };

function user({ _id, username, name }: { readonly _id: string; readonly username: string; readonly name?: string }) {
  return (more: object = {}) => ({
    ...{ _id, username, name, active: true, type: 'user', createdAt: at(-1000), roles: ['user'] },
    ...{
      emails: [{ address: `${username}@example.com`, verified: true }],
      services: { password: { bcrypt: 'secret' } },
    },
    ...more,
  });
}

let messages = 0;

export function rocketChatMessage(rid: string, u: object, msg: string, seconds: number, more: object = {}) {
  messages += 1;
  return { _id: `m${messages}x`, rid, u, msg, ts: at(seconds), ...more };
}

const subscription = (rid: string, t: string, u: object, more: object = {}) => ({
  ...{ _id: `${rid} ${JSON.stringify(u).length}${t}`, rid, t, u, open: true, ts: at(0) },
  ...more,
});

/** @param picture of a user and of an emoji */
export function rocketChatDump(picture: Buffer): Readonly<Record<string, Documents>> {
  return {
    users: [
      user(ada)({ roles: ['user', 'admin'], bio: 'Weaver', statusText: 'weaving', language: 'de' }),
      user(bo)(),
      { ...robot, type: 'bot', active: true, roles: ['bot'], createdAt: at(-1000) },
    ],
    rocketchat_room: [
      { _id: 'GENERAL', t: 'c', name: 'general', ts: at(-900), default: true, topic: 'For all', u: ada, msgs: 9 },
      { _id: 'rAttic', t: 'p', name: 'attic', fname: 'The attic', ts: at(-900), ro: true, u: bo },
      { _id: 'rTalk', t: 'c', name: 'abc123', fname: 'Which wool?', prid: 'GENERAL', ts: at(1), u: bo },
      { _id: 'rTalk2', t: 'c', name: 'abc124', fname: 'Which wool?', prid: 'GENERAL', ts: at(2), u: bo },
      { _id: 'rHidden', t: 'p', name: 'def456', fname: 'Secret talk', prid: 'GENERAL', ts: at(1), u: bo },
      { _id: 'uAdauBo', t: 'd', usernames: ['ada', 'bo.weaver'], uids: ['uAda', 'uBo'], ts: at(-900) },
      { _id: 'rChat', t: 'l', name: 'visitor', ts: at(-900) },
      { _id: 'rTeam', t: 'p', name: 'spinners', ts: at(-900), u: ada, teamId: 'tSpin', teamMain: true },
      { _id: 'rWheel', t: 'c', name: 'wheel', ts: at(-900), u: ada, teamId: 'tSpin' },
    ],
    rocketchat_team: [
      { _id: 'tSpin', name: 'spinners', type: 1, roomId: 'rTeam', createdAt: at(-900), createdBy: ada },
    ],
    rocketchat_subscription: [
      subscription('GENERAL', 'c', ada, { roles: ['owner'], ls: at(1000), f: true }),
      subscription('GENERAL', 'c', bo, { ls: at(12), disableNotifications: true, desktopNotifications: 'all' }),
      subscription('rAttic', 'p', bo, { roles: ['owner'], ls: at(1000) }),
      subscription('rHidden', 'p', bo, { ls: at(1000) }),
      subscription('rTalk', 'c', ada, { ls: at(1000) }),
      subscription('rTeam', 'p', ada, { ls: at(1000) }),
      subscription('rTeam', 'p', bo, { ls: at(1000) }),
      subscription('rWheel', 'c', ada, { ls: at(1000) }),
      subscription('uAdauBo', 'd', ada, { ls: at(1000) }),
      subscription('uAdauBo', 'd', bo, { ls: at(1) }),
    ],
    rocketchat_message: [
      {
        ...rocketChatMessage('GENERAL', ada, 'Shall we *weave*, @bo.weaver?', 10),
        _id: 'mRoot',
        tcount: 1,
        replies: ['uAda'],
      },
      rocketChatMessage('GENERAL', bo, 'Yes, @all! See #general and ~knit~ `*code*`', 20, { tmid: 'mRoot' }),
      rocketChatMessage('GENERAL', bo, '', 30, {
        file: { _id: 'fNotes', name: 'notes.txt' },
        files: [
          { _id: 'fNotes', name: 'notes.txt' },
          { _id: 'fThumb', name: 'thumb-notes.png' },
          { _id: 'fLost', name: 'lost.txt' },
        ],
        attachments: [
          { type: 'file', title: 'notes.txt', title_link: '/file-upload/fNotes/notes.txt', description: 'my notes' },
        ],
        reactions: { ':loom:': { usernames: ['ada', 'gone'] }, ':+1:': { usernames: ['bo.weaver'] } },
        ...{ starred: [{ _id: 'uAda' }], pinned: true, pinnedAt: at(40) },
      }),
      rocketChatMessage('GENERAL', ada, '[ ](https://chat.example.com/channel/general?msg=mRoot) indeed', 40, {
        attachments: [
          {
            text: 'Shall we weave?',
            author_name: 'ada',
            message_link: 'https://chat.example.com/channel/general?msg=mRoot',
          },
        ],
        ...{ editedAt: at(45), editedBy: ada },
      }),
      rocketChatMessage('GENERAL', robot, '', 50, {
        ...{ alias: 'Deployer', bot: { i: 'x' }, emoji: ':robot:' },
        attachments: [{ title: 'Build', title_link: 'https://ci.example.com/1', text: 'green', footer: 'CI' }],
      }),
      rocketChatMessage('rAttic', bo, '[ ](https://chat.example.com/group/attic?msg=m1) see', 62.1, {
        attachments: [
          {
            ...{ author_name: 'ada', text: 'two', message_link: 'https://chat.example.com/group/attic?msg=mGone' },
            attachments: [
              { author_name: 'bo', text: 'one', message_link: 'https://chat.example.com/group/attic?msg=mOlder' },
              {
                type: 'file',
                title: 'wool.png',
                title_link: '/file-upload/fWool/wool.png',
                image_url: '/file-upload/fWool/wool.png',
              },
            ],
          },
        ],
      }),
      rocketChatMessage('rAttic', bo, '', 62.2, {
        attachments: [{ title: 'Film', video_url: 'https://films.example/1.mp4', attachments: [{ text: 'inner' }] }],
      }),
      rocketChatMessage('rAttic', bo, '', 62.3, {
        blocks: [
          {
            type: 'section',
            text: { type: 'mrkdwn', text: '*Poll*: wool?' },
            fields: [{ type: 'plain_text', text: '*yes*' }],
          },
          {
            type: 'actions',
            elements: [
              { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://polls.example/1' },
              { type: 'button', text: { type: 'plain_text', text: 'Vote' }, value: '1' },
            ],
          },
          { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Vote' }, value: '2' }] },
        ],
      }),
      rocketChatMessage('rAttic', bo, '', 62.4, {
        ...{ alias: 'Bridge', location: { type: 'Point', coordinates: [13.5, 52.25] } },
      }),
      rocketChatMessage('GENERAL', bo, 'bo.weaver', 51, { t: 'uj' }),
      rocketChatMessage('GENERAL', bo, '', 52, { t: 'rm' }),
      rocketChatMessage('GENERAL', bo, 'older words', 53, { _hidden: true, parent: 'mRoot' }),
      rocketChatMessage('rTalk', bo, 'Sheep?', 60),
      rocketChatMessage('rTalk2', bo, 'Or goats?', 60.5),
      rocketChatMessage('rHidden', bo, 'only for us', 61),
      rocketChatMessage('rAttic', bo, 'up here', 62),
      rocketChatMessage('uAdauBo', bo, 'just us', 63),
      rocketChatMessage('GENERAL', bo, 'cipher', 64, { t: 'e2e' }),
      rocketChatMessage('rChat', bo, 'help', 65),
      { ...rocketChatMessage('GENERAL', bo, 'no time', 66), ts: null },
      rocketChatMessage('GENERAL', { _id: 'uGone', username: 'gone' }, 'from someone who left', 67),
    ],
    rocketchat_uploads: [{ _id: 'fNotes', name: 'notes.txt', userId: 'uBo', store: 'GridFS:Uploads' }],
    'rocketchat_uploads.files': [
      { _id: 'fNotes', length: 9, chunkSize: 4, filename: 'fNotes' },
      { _id: 'fLost', length: 9, chunkSize: 4, filename: 'fLost' },
    ],
    // In any order, and a part of the other file is missing.
    'rocketchat_uploads.chunks': [
      part('fNotes', 2, Buffer.from('s')),
      part('fLost', 1, Buffer.from('lost')),
      part('fNotes', 0, Buffer.from('the ')),
      part('fNotes', 1, Buffer.from('note')),
    ],
    rocketchat_avatars: [{ _id: 'avAda', name: 'ada', userId: 'uAda' }],
    'rocketchat_avatars.chunks': [part('avAda', 0, picture)],
    rocketchat_custom_emoji: [{ _id: 'eLoom', name: 'loom', aliases: ['webstuhl'], extension: 'gif' }],
    'custom_emoji.files': [
      { _id: new ObjectId('65f000000000000000000001'), filename: 'loom.gif', length: picture.length },
    ],
    'custom_emoji.chunks': [part(new ObjectId('65f000000000000000000001'), 0, picture)],
    rocketchat_settings: [
      { _id: 'SMTP_Password', value: 'secret' },
      { _id: 'Site_Name', value: 'Weavers' },
    ],
    rocketchat_statistics: [{ _id: 's1' }],
    novelties: [{ _id: 'n1' }],
  };
}

function part(file: unknown, n: number, data: Buffer) {
  return { _id: new ObjectId(), files_id: file, n, data: new Binary(data) };
}

export function bsonOf(documents: Documents): Buffer {
  return Buffer.concat(documents.map((document) => serialize(document)));
}
