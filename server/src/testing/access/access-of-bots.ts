/** Access rows for bots, avatars, and images of the organization. */
import * as avatars from '@heddle/api/endpoints/avatars.ts';
import * as storage from '@heddle/api/endpoints/bot-storage.ts';
import * as bots from '@heddle/api/endpoints/bots.ts';
import * as pictures from '@heddle/api/endpoints/organization-pictures.ts';
import type { Fields } from '../clients/client.ts';
import { plainPicture } from '../clients/uploading.ts';
import { type AccessRow, row } from './access-row.ts';
import { movingPicture, type Scene } from './access-scene.ts';

export const OF_BOTS: readonly AccessRow[] = [
  row(bots.createBot, 'always', '++++bb uuxu', newBot),
  row(bots.getBots, 'always', '++++bb uuxu'),
  row(bots.updateBot, 'an own one', '++++bb uuxu', ownBot),
  row(bots.updateBot, "somebody else's", '++bbbb uuxu', othersBot),
  row(bots.updateBot, "the role of somebody else's", '++bbbb uuxu', async (scene) => ({
    ...(await othersBot(scene)),
    role: 300,
  })),
  row(bots.deactivateBot, 'an own one', '++++bb uuxu', ownBot),
  row(bots.deactivateBot, "somebody else's", '++bbbb uuxu', othersBot),
  row(bots.getBotApiKey, 'of an own one', '++++bb uuxu', ownBot),
  row(bots.getBotApiKey, "of somebody else's", '++bbbb uuxu', othersBot),
  row(bots.regenerateBotApiKey, 'of an own one', '++++bb uuxu', ownBot),
  row(bots.regenerateBotApiKey, "of somebody else's", '++bbbb uuxu', othersBot),
  row(storage.getBotStorage, 'their own', '++++++ uuxu'),
  row(storage.updateBotStorage, 'their own', '++++++ uuxu', () => ({ storage: { key: 'value' } })),
  row(storage.removeBotStorage, 'their own', '++++++ uuxu'),
];

function newBot(scene: Scene): Fields {
  const name = scene.name();
  return { full_name: name, short_name: name.replace(' ', '-') };
}

/** Returns a bot of the caller. Guests and bots cannot create bots, so for them it is the colleague's. */
async function ownBot(scene: Scene): Promise<Fields> {
  const { status, body } = await scene.self.call('POST', '/bots', newBot(scene));
  return status === 200 ? { bot_id: body.user_id } : othersBot(scene);
}

async function othersBot(scene: Scene): Promise<Fields> {
  const { user_id } = await scene.colleague.ok('POST', '/bots', newBot(scene));
  return { bot_id: user_id };
}

const anybodys = ({ colleague }: Scene): Fields => ({ user: `${colleague.userId}` });

export const OF_PICTURES: readonly AccessRow[] = [
  row(avatars.uploadAvatar, 'their own', '++++++ uuxu', () => ({}), movingPicture),
  row(avatars.deleteAvatar, 'their own', '++++++ uuxu'),
  row(avatars.getAvatar, "somebody's", '++++++ u+xu', anybodys),
  row(avatars.getMediumAvatar, "somebody's", '++++++ u+xu', anybodys),
  row(avatars.getAvatarByApi, "somebody's", '++++++ u+xu', anybodys),
  row(avatars.getMediumAvatarByApi, "somebody's", '++++++ u+xu', anybodys),
  row(avatars.getAvatarByApi, "somebody's by address", '++++++ uuxu', ({ colleague }) => ({ user: colleague.email })),
  row(avatars.getAvatarPicture, 'always', '++++++ ++++', (scene) => scene.avatar()),
  row(avatars.getPatternPicture, 'always', '++++++ ++++', () => ({ file: '7.png' })),
  row(pictures.uploadIcon, 'always', '++pppp uuxu', () => ({}), plainPicture),
  row(pictures.deleteIcon, 'always', '++pppp uuxu'),
  row(pictures.getIcon, 'always', '++++++ uuxu'),
  row(pictures.uploadLogo, 'always', '++pppp uuxu', () => ({ night: false }), plainPicture),
  row(pictures.deleteLogo, 'always', '++pppp uuxu', () => ({ night: true })),
  row(pictures.getLogo, 'always', '++++++ uuxu', () => ({ night: true })),
  row(pictures.getOrganizationPicture, 'always', '++++++ ++++', (scene) => scene.icon()),
];
