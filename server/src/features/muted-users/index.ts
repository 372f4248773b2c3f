import type { Presenter } from '../../directory/presenters.ts';
import { mutesPart } from '../../domain/users/users/mutes.ts';
import { ofConsenting } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { statePart } from '../../extension/initial-state.ts';
import { type MutedUser, selectMutedUsers } from './queries.ts';
import { mutedUserRoutes } from './routes.ts';

const presenter: Presenter = {
  present: ({ body }) => ({
    type: 'muted_users',
    muted_users: (body as { readonly muted: readonly MutedUser[] }).muted,
  }),
};

const state = statePart<readonly MutedUser[]>({
  types: ['muted_users'],
  select: ({ organizationId, userId }) => selectMutedUsers(organizationId, userId),
  build: (_, muted) => ({ muted_users: muted }),
  spectators: { build: () => ({ muted_users: [] }) },
});

export const mutedUsers: Feature = {
  routes: mutedUserRoutes,
  directory: [mutesPart],
  state: () => [state],
  presenters: { muted_users: presenter },
  exports: [
    {
      table: 'muted_users',
      fields: ['user_id', 'muted_user_id', 'muted_at'],
      rows: ofConsenting,
    },
  ],
};
