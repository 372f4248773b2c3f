import * as endpoints from '@heddle/api/endpoints/channels.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { administersBot } from '../../../access/bots.ts';
import { accessChannel } from '../../../access/channels.ts';
import { roleRefusal } from '../../../access/setting-changes.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { Change, Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { amendChannel } from '../../channels/amending.ts';
import { checkedChannelDescription } from '../../channels/names.ts';
import { channelAddress } from '../../notifications/mail-parts/gateway-addresses.ts';
import { noticeContextOf } from '../../sending/sending/notices.ts';
import { descriptionRenderer } from '../../texts/descriptions/descriptions.ts';
import { archiveChannel } from './archiving.ts';
import { changeChannel } from './changing.ts';

export function channelChangingRoutes(app: AppContext): readonly HeddleRoute[] {
  const urlOf = (directory: Directory) => app.address.of(directory.organization.subdomain);

  return [
    route(endpoints.updateChannel, {}, async ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const render = descriptionRenderer(directory, caller.id, urlOf(directory));
      const noticeContext = noticeContextOf(directory, caller, urlOf(directory));
      // Renders before the transaction, so that other changes do not wait. The transaction then uses the cached result.
      if (parameters.description !== undefined) render(checkedChannelDescription(parameters.description));
      await organization.transact(caller, 'exclusive', (change, user) =>
        changeChannel(change, user, { parameters, render, noticeContext }),
      );
      return {};
    }),

    route(endpoints.archiveChannel, {}, async ({ parameters, organization, caller }) => {
      const { directory } = organization;
      const noticeContext = noticeContextOf(directory, caller, urlOf(directory));
      await organization.transact(caller, 'exclusive', (change, actor) => {
        const channel = accessChannel(change.directory, actor, parameters.stream_id, 'administer');
        return archiveChannel(change, channel, { ...noticeContext, actor });
      });
      return {};
    }),

    route(endpoints.addDefaultChannel, {}, ({ parameters, organization, caller }) =>
      changeDefault(organization, caller, parameters.stream_id, true),
    ),

    route(endpoints.removeDefaultChannel, {}, ({ parameters, organization, caller }) =>
      changeDefault(organization, caller, parameters.stream_id, false),
    ),

    route(endpoints.getChannelEmailAddress, {}, ({ parameters, organization: { directory }, caller }) => {
      const channel = accessChannel(directory, caller, parameters.stream_id, 'read');
      if (channel.isArchived) throw badRequest('Invalid channel ID');
      const { sender_id: senderId = caller.id } = parameters;
      checkMailSender(directory, caller, senderId);
      // The reference server returns an empty address without an email gateway.
      if (app.config.mailGateway === null) return { email: '' };
      const gatewayBot = directory.systemBot('email-gateway');
      return {
        email: channelAddress(app, directory, channel, caller, senderId === gatewayBot?.id ? caller.id : senderId),
      };
    }),
  ];
}

async function changeDefault(
  organization: Organization,
  caller: UserRecord,
  channelId: number,
  isDefault: boolean,
): Promise<Record<never, never>> {
  await organization.transact(caller, 'exclusive', async (change: Change, user) => {
    const refusal = roleRefusal(user, 'administrator');
    if (refusal !== undefined) throw refusal;
    const channel = accessChannel(change.directory, user, channelId, isDefault ? 'read' : 'know');
    if (channel.isArchived) throw badRequest('Invalid channel ID');
    if (isDefault && channel.isPrivate) throw badRequest('Private channels cannot be made default.');
    await amendChannel(change, channel, { ...channel, isDefault });
  });
  return {};
}

/** @throws ApiError `BAD_REQUEST`: the caller may not send email as this account */
function checkMailSender(directory: Directory, caller: UserRecord, senderId: number): void {
  if (senderId === caller.id || senderId === directory.systemBot('email-gateway')?.id) return;
  const bot = directory.user(senderId);
  if (bot === undefined || !bot.isBot) throw badRequest('No such bot');
  if (!administersBot(caller, bot)) throw badRequest('Insufficient permission');
}
