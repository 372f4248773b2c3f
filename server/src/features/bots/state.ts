import type { Directory } from '../../directory/directory.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { type StatePart, stateOfAll, statePart } from '../initial-state.ts';
import { rememberedBy, rememberedState } from '../remembered-state.ts';
import type { Rooms } from '../rooms.ts';
import { channelNamesOf, presentBot } from './present.ts';

/** The bots that the user runs; what kinds of bots this server has besides, which are none. */
export function botState(rooms: Pick<Rooms, 'secret'>): readonly StatePart[] {
  const present = (directory: Directory, bots: readonly UserRecord[]) =>
    bots.map((bot) => presentBot(rooms, directory, bot, channelNamesOf(directory, bot)));
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

/** All bots of accounts, those that are closed too. */
export const botsByOwner = rememberedBy(['users'], (directory): ReadonlyMap<number | null, readonly UserRecord[]> => {
  const bots = [...directory.users.values()].filter(({ isBot }) => isBot);
  return Map.groupBy(bots, ({ botOwnerId }) => botOwnerId);
});
