import type { Presenter } from '../../directory/presenters.ts';
import type { Feature } from '../feature.ts';
import { statePart } from '../initial-state.ts';
import { mutedUserAttempts } from './attempts.ts';
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
  name: 'muted-users',
  routes: mutedUserRoutes,
  state: () => [state],
  presenters: { muted_users: presenter },
  attempts: mutedUserAttempts,
};
