import type { OrganizationPermission } from '@heddle/api/permissions.ts';
import type { usersState as usersStateSchema } from '@heddle/api/state/users.ts';
import type { Static } from 'typebox';
import { hasPermission } from '../../../access/organization-settings.ts';
import { hasSpectatorAccess } from '../../../access/spectators.ts';
import type { Directory } from '../../../directory/directory.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type StateContext, type StatePart, statePart } from '../../../extension/initial-state.ts';
import { rememberedState } from '../../../extension/remembered-state.ts';
import type { QueueSettings } from '../../../log/queue.ts';
import { presentAvatar, presentForSpectators } from '../../users/users/present.ts';
import { SPECTATOR } from '../../users/users/seen-by-spectators.ts';
import { SerializedUsers } from '../../users/users/serialized-users.ts';
import { prepareUserLists, userLists } from '../../users/users/user-lists.ts';

type UsersState = { [Name in keyof typeof usersStateSchema]?: Static<(typeof usersStateSchema)[Name]> };

/** All users, and the user who registers. */
export function usersState({ address }: Pick<AppContext, 'address'>): readonly StatePart[] {
  const seenBySpectators = new SerializedUsers((directory, user) =>
    presentForSpectators(directory, user, address.hostOf(directory.organization.subdomain)),
  );
  const systemBotsForSpectators = rememberedState(['users'], (directory) => {
    const host = address.hostOf(directory.organization.subdomain);
    const bots = [...directory.systemBots.values()];
    return {
      cross_realm_bots: bots.map((bot) => ({
        ...presentForSpectators(directory, bot, host),
        is_active: bot.isActive,
        is_system_bot: true,
      })),
    };
  });
  return [
    statePart({
      types: ['realm_user'],
      query: (_, { directory, user, settings }) => prepareUserLists(directory, user, listOptions(settings)),
      build: ({ directory, user, settings }: StateContext) => ({
        ...userLists(directory, user, listOptions(settings)),
        ...self(directory, user),
        ...permissions((permission) => hasPermission(directory, user, permission), hasSpectatorAccess(directory)),
      }),
      spectators: {
        query: async (_, { directory }) => seenBySpectators.prepare(directory),
        build: ({ directory }) => ({
          realm_users: seenBySpectators.active(directory),
          realm_non_active_users: seenBySpectators.inactive(directory),
          ...systemBotsForSpectators(directory),
          ...self(directory, SPECTATOR),
          ...permissions(() => false, false),
        }),
      },
    }),
  ];
}

function listOptions({ clientGravatar, capabilities }: QueueSettings) {
  const { userListIncomplete: isIncomplete, briefUsers: isBrief = false } = capabilities;
  return { clientGravatar, isIncomplete, isBrief };
}

/** The own picture has its URLs, even for clients that compute the pictures of others. */
function self(directory: Directory, user: UserRecord): UsersState {
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: user.deliveryEmail,
    full_name: user.fullName,
    is_owner: user.role === Role.owner,
    is_admin: user.role <= Role.administrator,
    is_moderator: user.role <= Role.moderator,
    is_guest: user.role === Role.guest,
    ...presentAvatar(directory, user),
  };
}

/** Fields that older clients read instead of the permissions. */
function permissions(may: (permission: OrganizationPermission) => boolean, hasWebPublicChannels: boolean): UsersState {
  const createsPublic = may('can_create_public_channel_group');
  const createsPrivate = may('can_create_private_channel_group');
  const createsWebPublic = hasWebPublicChannels && may('can_create_web_public_channel_group');
  return {
    can_create_streams: createsPublic || createsPrivate || createsWebPublic,
    can_create_public_streams: createsPublic,
    can_create_private_streams: createsPrivate,
    can_create_web_public_streams: createsWebPublic,
    can_subscribe_other_users: may('can_add_subscribers_group'),
    can_invite_others_to_realm: may('can_invite_users_group'),
  };
}
