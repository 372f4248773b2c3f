/** Access rows for invitations, and for the domains of new accounts. */
import * as domains from '@heddle/api/endpoints/domains.ts';
import * as invitations from '@heddle/api/endpoints/invitations.ts';
import * as signup from '@heddle/api/endpoints/signup.ts';
import type { Fields } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';
import { type AccessRow, row } from './access-row.ts';
import type { Scene } from './access-scene.ts';

export const OF_INVITATIONS: readonly AccessRow[] = [
  row(invitations.createInviteLink, 'for members', '++bbbb uuxu'),
  row(invitations.createInviteLink, 'for owners', '+bbbbb uuxu', () => ({ invite_as: 100 })),
  row(invitations.sendInvites, 'for members', '++++bb uuxu', (scene) => invitee(scene)),
  row(invitations.sendInvites, 'for moderators', '+++bbb uuxu', (scene) => ({ ...invitee(scene), invite_as: 300 })),
  row(invitations.getInvites, 'always', '++++bb uuxu'),
  row(invitations.revokeInvite, "an owner's", '++bbbb uuxu', (scene) => sent(scene)),
  row(invitations.resendInvite, "an owner's", '++bbbb uuxu', (scene) => sent(scene)),
  row(invitations.revokeInviteLink, "an owner's", '++bbbb uuxu', async (scene) => {
    const { invite_link } = await scene.owner.ok('POST', '/invites/multiuse');
    return idOf(scene, (one) => one.link_url === invite_link);
  }),
  row(invitations.testWelcomeMessage, 'always', '++pppp uuxu', () => ({ welcome_message_custom_text: 'Hello' })),
  row(signup.showReusableInvitation, 'an open one', '++++++ ++++', async ({ owner }) => {
    const { invite_link } = await owner.ok('POST', '/invites/multiuse');
    return { key: new URL(invite_link).pathname.split('/')[2] };
  }),
  row(signup.acceptReusableInvitation, 'with an API key alone', 'kkkkkk kkkk', () => ({ key: 'a' })),
  row(signup.showInvitation, 'one that is none', 'mmmmmm mmmm', () => ({ key: 'a' })),
  row(signup.acceptInvitation, 'with an API key alone', 'kkkkkk kkkk', () => ({ key: 'a' })),
  row(signup.showRegistration, 'where an invitation is required', 'iiiiii iiii'),
  row(signup.requestRegistration, 'with an API key alone', 'kkkkkk kkkk', () => ({ email: 'ann@example.com' })),
  row(domains.getDomains, 'always', '++++++ uuxu'),
  row(domains.addDomain, 'always', '+ppppp uuxu', (scene) => domain(scene)),
  row(domains.changeDomain, 'always', '+ppppp uuxu', (scene) => knownDomain(scene)),
  row(domains.removeDomain, 'always', '+ppppp uuxu', async (scene) => ({ domain: (await knownDomain(scene)).domain })),
];

function invitee(scene: Scene): Fields {
  return { invitee_emails: `${scene.name().replaceAll(/\W/g, '')}@example.com`, stream_ids: [] };
}

async function sent(scene: Scene): Promise<Fields> {
  const fields = invitee(scene);
  await scene.owner.ok('POST', '/invites', fields);
  return idOf(scene, (one) => one.email === fields.invitee_emails);
}

async function idOf({ owner }: Scene, isIt: (one: Json) => boolean): Promise<Fields> {
  const { invites } = await owner.ok('GET', '/invites');
  return { invite_id: invites.find(isIt).id };
}

function domain(scene: Scene): Fields & { readonly domain: string } {
  return { domain: `${scene.name().replaceAll(/\W/g, '').toLowerCase()}.example.com`, allow_subdomains: true };
}

async function knownDomain(scene: Scene): Promise<Fields & { readonly domain: string }> {
  const known = domain(scene);
  await scene.owner.ok('POST', '/realm/domains', known);
  return known;
}
