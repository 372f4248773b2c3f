/** Access rows for accounts, the organization, groups, emoji and queues. */
import * as accountPages from '@heddle/api/endpoints/account-pages.ts';
import * as authentication from '@heddle/api/endpoints/authentication.ts';
import * as emoji from '@heddle/api/endpoints/custom-emoji.ts';
import * as events from '@heddle/api/endpoints/events.ts';
import * as linkifiers from '@heddle/api/endpoints/linkifiers.ts';
import * as pages from '@heddle/api/endpoints/login-pages.ts';
import * as organizations from '@heddle/api/endpoints/organizations.ts';
import * as playgrounds from '@heddle/api/endpoints/playgrounds.ts';
import * as presence from '@heddle/api/endpoints/presence.ts';
import * as server from '@heddle/api/endpoints/server.ts';
import * as unsubscribing from '@heddle/api/endpoints/unsubscribe-pages.ts';
import * as groups from '@heddle/api/endpoints/user-groups.ts';
import * as users from '@heddle/api/endpoints/users.ts';
import { getEmojiData, getExtraEmojiPicture } from '../../domain/texts/emoji/routes.ts';
import { STYLESHEET_FILE } from '../../pages/stylesheet.ts';
import type { Fields } from '../clients/client.ts';
import { type AccessRow, row } from './access-row.ts';
import { movingPicture, PASSWORD, type Scene } from './access-scene.ts';

export const OF_ACCOUNTS: readonly AccessRow[] = [
  row(authentication.regenerateApiKey, 'always', '+++++b uuxu'),
  row(authentication.fetchApiKey, 'with the right password', '+++++a aaxa', ({ caller }) => ({
    username: caller.email,
    password: PASSWORD,
  })),
  row(authentication.developmentFetchApiKey, 'where that is switched on', '+++++a aaxa', ({ caller }) => ({
    username: caller.email,
  })),
  row(server.getServerSettings, 'always', '++++++ ++++'),
  row(server.checkCompatibility, 'always', '++++++ ++++'),
  row(authentication.jwtFetchApiKey, 'where no tokens are taken', 'bbbbbb bbbb', () => ({ token: 'x' })),
  row(getEmojiData, 'always', '++++++ ++++', () => ({})),
  row(getExtraEmojiPicture, 'always', '++++++ ++++', () => ({})),
  row(users.getOwnUser, 'always', '++++++ uuxu'),
  row(users.getUsers, 'all', '++++++ uuxu'),
  row(users.getUser, 'another', '++++++ uuxu', ({ colleague }) => ({ user_id: colleague.userId })),
  row(users.getUserByEmail, 'another', '++++++ uuxu', ({ colleague }) => ({ email: colleague.email })),
  row(presence.updatePresence, 'always', '+++++b uuxu', () => ({ status: 'active' })),
  row(presence.getPresences, 'always', '++++++ uuxu'),
  row(presence.getUserPresence, 'who was there', '++++++ uuxu', async ({ colleague }) => {
    await colleague.ok('POST', '/users/me/presence', { status: 'active' });
    return { user_id_or_email: String(colleague.userId) };
  }),
  row(playgrounds.addPlayground, 'always', '++pppp uuxu', (scene) => playground(scene)),
  row(playgrounds.removePlayground, 'one that there is', '++pppp uuxu', async (scene) => ({
    playground_id: (await scene.owner.ok('POST', '/realm/playgrounds', playground(scene))).id,
  })),
  row(linkifiers.getLinkifiers, 'always', '++++++ uuxu'),
  row(linkifiers.addLinkifier, 'always', '++pppp uuxu', (scene) => linkifier(scene)),
  row(linkifiers.updateLinkifier, 'one that there is', '++pppp uuxu', async (scene) => ({
    ...(await linkifierOf(scene)),
    ...linkifier(scene),
  })),
  row(linkifiers.removeLinkifier, 'one that there is', '++pppp uuxu', linkifierOf),
  row(linkifiers.reorderLinkifiers, 'as they are', '++pppp uuxu', async ({ owner }) => ({
    ordered_linkifier_ids: (await owner.ok('GET', '/realm/linkifiers')).linkifiers.map(idOf),
  })),
  row(organizations.updateOrganization, 'what administrators decide', '++pppp uuxu', (scene) => ({
    description: scene.name(),
  })),
  row(organizations.updateOrganization, 'what owners decide', '+ppppp uuxu', () => ({ invite_required: true })),
  row(events.registerQueue, 'of what they get', '++++++ u+xu'),
  row(events.registerQueue, 'of all public channels', '++++b+ u+xu', () => ({ all_public_streams: true })),
  row(events.registerQueue, 'with all subscribers', '++++++ ubxu', () => ({ include_subscribers: true })),
  row(events.getEvents, 'an own queue', '++++++ uuxu', async ({ self }) => ({
    ...(await queueOf(self)),
    last_event_id: -1,
    dont_block: true,
  })),
  row(events.getEvents, "somebody else's queue", 'qqqqqq uuxu', async ({ colleague }) => ({
    ...(await queueOf(colleague)),
    last_event_id: -1,
    dont_block: true,
  })),
  row(events.deleteQueue, 'an own queue', '++++++ uuxu', ({ self }) => queueOf(self)),
  row(events.deleteQueue, "somebody else's queue", 'qqqqqq uuxu', ({ colleague }) => queueOf(colleague)),
];

/** Tests of existing links are in account.test.ts and reset.test.ts. */
const noLink = { key: 'a'.repeat(32) };
const noUnsubscribeLink = { ...noLink, email_type: 'digest' as const };
const credentials = ({ caller }: Scene) => ({ username: caller.email, password: PASSWORD });

/** Everybody can open the pages. Their forms are refused without the values that a page gave to the browser. */
export const OF_LOGIN_PAGES: readonly AccessRow[] = [
  row(accountPages.getResetPage, 'always', '++++++ ++++'),
  row(accountPages.requestReset, 'with an API key alone', 'kkkkkk kkkk', ({ caller: { email } }) => ({ email })),
  row(accountPages.getNewPasswordPage, 'by a link that there is not', 'mmmmmm mmmm', () => noLink),
  row(accountPages.setNewPassword, 'with an API key alone', 'kkkkkk kkkk', () => noLink),
  row(accountPages.getConfirmAddressPage, 'by a link that there is not', 'mmmmmm mmmm', () => noLink),
  row(accountPages.confirmAddress, 'with an API key alone', 'kkkkkk kkkk', () => noLink),
  row(unsubscribing.getUnsubscribePage, 'by a link that there is not', 'mmmmmm mmmm', () => noUnsubscribeLink),
  row(unsubscribing.unsubscribeAtOnce, 'by a link that there is not', 'bbbbbb bbbb', () => noUnsubscribeLink),
  row(unsubscribing.unsubscribeOnPage, 'with an API key alone', 'kkkkkk kkkk', () => noUnsubscribeLink),
  row(pages.getLoginPage, 'always', '++++++ ++++'),
  row(pages.getAccountsLoginPage, 'always', '++++++ ++++'),
  row(pages.chooseLanguage, 'always', '++++++ ++++', () => ({ language: 'de' })),
  row(pages.logIn, 'with an API key alone', 'kkkkkk kkkk', credentials),
  row(pages.accountsLogIn, 'with an API key alone', 'kkkkkk kkkk', credentials),
  row(pages.getSessionsPage, 'always, which leads to the login page', '++++++ ++++'),
  row(pages.logOut, 'with an API key alone', 'kkkkkk kkkk'),
  row(pages.logOutEverywhere, 'with an API key alone', 'kkkkkk kkkk'),
  row(pages.logInWithProvider, 'where there is none', 'ffffff ffff'),
  row(pages.signUpWithProvider, 'where there is none', 'ffffff ffff'),
  row(pages.completeProviderLogin, 'where there is none', 'ffffff ffff'),
  row(pages.finishDesktopLogin, 'a token that is none', 'eeeeee eeee', () => ({ token: 'a' })),
  row(pages.pasteDesktopToken, 'with an API key alone', 'kkkkkk kkkk', () => ({ token: 'a' })),
  row(pages.getPageStyle, 'always', '++++++ ++++', () => ({ file: STYLESHEET_FILE })),
];

async function queueOf(user: Scene['self']): Promise<Fields> {
  return { queue_id: (await user.register({ event_types: ['message'], fetch_event_types: [] })).id };
}

function playground(scene: Scene): Fields {
  return { name: scene.name(), pygments_language: 'Rust', url_template: 'https://example.com/{code}' };
}

function linkifier(scene: Scene): Fields {
  return { pattern: scene.name(), url_template: 'https://example.com/' };
}

const idOf = ({ id }: { readonly id: number }) => id;

async function linkifierOf(scene: Scene): Promise<Fields> {
  return { filter_id: idOf(await scene.owner.ok('POST', '/realm/filters', linkifier(scene))) };
}

export const OF_EMOJI: readonly AccessRow[] = [
  row(emoji.getCustomEmoji, 'always', '++++++ uuxu'),
  row(emoji.uploadCustomEmoji, 'always', '++++b+ uuxu', (scene) => ({ emoji_name: nameOfEmoji(scene) }), movingPicture),
  row(emoji.deactivateCustomEmoji, "somebody else's", '++bbbb uuxu', async (scene) => ({
    emoji_name: (await scene.emojiOf(scene.colleague)).name,
  })),
  row(emoji.getEmojiPicture, 'always', '++++++ ++++', async (scene) => {
    return pictureAt((await scene.emojiOf(scene.owner)).source_url);
  }),
  row(emoji.getStillEmojiPicture, 'always', '++++++ ++++', async (scene) => {
    return pictureAt((await scene.emojiOf(scene.owner)).still_url);
  }),
];

const nameOfEmoji = (scene: Scene) => scene.name().replace(' ', '-');

/** The parameters in the path of an image: `/user_avatars/1/emoji/images/….gif`. */
function pictureAt(path: string): Fields {
  return { organization_id: path.split('/')[2], file: path.split('/').at(-1) };
}

export const OF_GROUPS: readonly AccessRow[] = [
  row(groups.getUserGroups, 'always', '++++bb uuxu'),
  row(groups.createUserGroup, 'always', '++++bb uuxu', (scene) => ({
    ...{ name: scene.name(), description: '', members: [] },
  })),
  row(groups.updateUserGroup, "somebody else's", '+bbbbb uuxu', async (scene) => ({
    ...{ user_group_id: await scene.group(), description: 'new' },
  })),
  row(groups.updateUserGroup, 'one that they may manage', '++++bb uuxu', async (scene) => ({
    user_group_id: await scene.group(managedBy(scene)),
    description: 'new',
  })),
  row(groups.deactivateUserGroup, "somebody else's", '+bbbbb uuxu', async (scene) => ({
    user_group_id: await scene.group(),
  })),
  row(groups.updateUserGroupMembers, "of somebody else's", '+bbbbb uuxu', async (scene) => ({
    ...{ user_group_id: await scene.group(), add: [scene.colleague.userId] },
  })),
  row(groups.updateUserGroupMembers, 'leaving one', '++++bb uuxu', async (scene) => ({
    ...{ user_group_id: await scene.group(), delete: [scene.self.userId] },
  })),
  row(groups.updateUserGroupSubgroups, "of somebody else's", '+bbbbb uuxu', async (scene) => ({
    ...{ user_group_id: await scene.group(), add: [await scene.group()] },
  })),
  row(groups.getUserGroupMembers, 'always', '++++bb uuxu', async (scene) => ({ user_group_id: await scene.group() })),
  row(groups.getUserGroupSubgroups, 'always', '++++bb uuxu', async (scene) => ({ user_group_id: await scene.group() })),
  row(groups.getIsUserGroupMember, 'always', '++++bb uuxu', async (scene) => ({
    ...{ user_group_id: await scene.group(), user_id: scene.colleague.userId },
  })),
];

function managedBy({ self }: Scene): Fields {
  return { can_manage_group: { direct_members: [self.userId], direct_subgroups: [] } };
}
