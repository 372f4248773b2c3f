import type { Directory } from '../../directory/directory.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { channelNamesOf, presentBot } from '../../domain/users/bots/present.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { type StatePart, stateOfAll, statePart } from '../../extension/initial-state.ts';
import { rememberedBy, rememberedState } from '../../extension/remembered-state.ts';

/** The bots that the user administers. The lists of other kinds of bots are empty, because this server has none. */
export function botState(app: Pick<AppContext, 'secret'>): readonly StatePart[] {
  const present = (directory: Directory, bots: readonly UserRecord[]) =>
    bots.map((bot) => presentBot(app, directory, bot, channelNamesOf(directory, bot)));
  const forAdministrators = rememberedState(['users', 'channels'], (directory) => ({
    realm_bots: present(directory, [...botsByOwner(directory).values()].flat()),
  }));
  return [
    statePart({
      types: ['realm_bot'],
      build: ({ directory, user }) =>
        user.role <= Role.administrator
          ? forAdministrators(directory)
          : { realm_bots: present(directory, botsByOwner(directory).get(user.id) ?? []) },
      spectators: { build: () => ({ realm_bots: [] }) },
    }),
    stateOfAll({ types: ['realm_embedded_bots'], build: () => ({ realm_embedded_bots: [] }) }),
    stateOfAll({ types: ['realm_incoming_webhook_bots'], build: () => ({ realm_incoming_webhook_bots: [] }) }),
  ];
}

/** All bots by owner, including deactivated ones. */
export const botsByOwner = rememberedBy(['users'], (directory): ReadonlyMap<number | null, readonly UserRecord[]> => {
  const bots = [...directory.users.values()].filter(({ isBot }) => isBot);
  return Map.groupBy(bots, ({ botOwnerId }) => botOwnerId);
});
