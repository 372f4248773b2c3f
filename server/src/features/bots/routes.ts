import * as endpoints from '@heddle/api/endpoints/bots.ts';
import { accessBot } from '../../access/bots.ts';
import { peopleOnlyRefusal } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import { withAvatar } from '../../domain/accounts/avatars/actions.ts';
import type { AvatarPictures } from '../../domain/accounts/avatars/drawing.ts';
import {
  apiKeysOf,
  channelNamesOf,
  presentChannels,
  presentServices,
  settingsOf,
} from '../../domain/users/bots/present.ts';
import { avatarOf } from '../../domain/users/users/avatars.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import type { UploadedFile } from '../../http/bodies/file-bodies.ts';
import { PICTURE_BODY } from '../../pictures/uploads.ts';
import { checkNewBot, createBot, regenerateKey, updateBot } from './actions.ts';
import { botsByOwner } from './state.ts';

export function botRoutes(app: AppContext): readonly HeddleRoute[] {
  const keys = apiKeysOf(app);
  const hostOf = ({ directory }: Organization) => app.address.hostOf(directory.organization.subdomain);

  return [
    route(endpoints.createBot, { body: PICTURE_BODY }, async ({ parameters, body, organization, caller }) => {
      checkNewBot(organization.directory, caller, parameters, hostOf(organization));
      const bot = await withPicture(organization, caller, body, (pictures) =>
        organization.transact(caller, 'exclusive', (change, user) =>
          createBot(change, user, { parameters, pictures }, hostOf(organization)),
        ),
      );
      const api_key = keys.of(organization.id, bot);
      return { user_id: bot.id, api_key, ...presented(organization.directory, bot) };
    }),

    route(endpoints.getBots, {}, ({ organization: { id, directory }, caller }) => {
      checkPeople(caller);
      const bots = (botsByOwner(directory).get(caller.id) ?? []).filter(({ isActive }) => isActive);
      return {
        bots: bots.map((bot) => ({
          username: bot.email,
          full_name: bot.fullName,
          api_key: keys.of(id, bot),
          ...presented(directory, bot),
          services: presentServices(app, directory, bot),
        })),
      };
    }),

    route(endpoints.updateBot, { body: PICTURE_BODY }, async ({ parameters, body, organization, caller }) => {
      checkPeople(caller);
      const before = accessBot(organization.directory, caller, parameters.bot_id);
      const bot = await withPicture(organization, caller, body, (pictures) =>
        organization.transact(caller, 'exclusive', (change, user) => updateBot(change, user, { parameters, pictures })),
      );
      if (bot.apiKeyVersion !== before.apiKeyVersion) await app.queues.removeAllOf(organization.id, bot.id);
      const { directory } = organization;
      const owner = bot.botOwnerId === null ? undefined : directory.user(bot.botOwnerId);
      const { service } = settingsOf(bot);
      return {
        full_name: bot.fullName,
        ...presented(directory, bot),
        service_interface: service?.interface ?? 1,
        service_payload_url: service?.url ?? null,
        config_data: null,
        ...(owner !== undefined && { bot_owner: owner.email }),
      };
    }),

    route(endpoints.deactivateBot, {}, async ({ parameters: { bot_id: botId }, organization, caller }) => {
      const check = (directory: Directory, user: UserRecord) => accessBot(directory, user, botId);
      check(organization.directory, caller);
      await deactivateUser(app, organization, botId, { caller, check });
      return {};
    }),

    route(endpoints.getBotApiKey, {}, ({ parameters, organization: { id, directory }, caller }) => {
      checkPeople(caller);
      return { api_key: keys.of(id, accessBot(directory, caller, parameters.bot_id)) };
    }),

    route(endpoints.regenerateBotApiKey, {}, async ({ parameters, organization, caller }) => {
      checkPeople(caller);
      const bot = await organization.transact(caller, 'exclusive', (change, user) =>
        regenerateKey(change, user, parameters.bot_id),
      );
      await app.queues.removeAllOf(organization.id, bot.id);
      return { api_key: keys.of(organization.id, bot) };
    }),
  ];
}

function checkPeople(caller: UserRecord): void {
  const refusal = peopleOnlyRefusal(caller);
  if (refusal !== undefined) throw refusal;
}

/** Converts the picture, if there is one. */
function withPicture<Result>(
  organization: Organization,
  caller: UserRecord,
  file: UploadedFile | undefined,
  use: (pictures: AvatarPictures | undefined) => Promise<Result>,
): Promise<Result> {
  return file === undefined ? use(undefined) : withAvatar(organization, caller, file, use);
}

function presented(directory: Directory, bot: UserRecord) {
  return { avatar_url: avatarOf(directory, bot).url, ...presentChannels(channelNamesOf(directory, bot), bot) };
}
