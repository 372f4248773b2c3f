import { type StatePart, statePart } from '../initial-state.ts';
import type { PresenceAnswers } from './answers.ts';
import { type PresenceRooms, presenceAnswers, presencesOf } from './queries.ts';

/** Who is there: as of a moment at or after the log's position, so an event that follows may tell what is known already. */
export function presenceState(rooms: PresenceRooms): StatePart {
  return statePart<undefined, PresenceAnswers | undefined>({
    types: ['presence'],
    async query(_, { directory, user }) {
      const organization = rooms.organizations.inMemoryById(directory.organization.id);
      if (organization === undefined) return undefined;
      const answers = await presenceAnswers(rooms, organization);
      if (!user.isBot) presencesOf(rooms, organization).see(user.id, Math.floor(Date.now() / 1000));
      return answers;
    },
    build({ settings }, answers) {
      const isModern = settings.slimPresence || settings.capabilities.simplifiedPresenceEvents;
      const wanted = { isModern, after: undefined, historyDays: settings.presenceHistoryDays };
      const answer = answers?.answer(wanted);
      return {
        presences: answer?.presences ?? {},
        presence_last_update_id: answer?.lastUpdateId ?? -1,
        server_timestamp: Date.now() / 1000,
      };
    },
    spectators: { build: () => ({ presences: {}, server_timestamp: Date.now() / 1000 }) },
  });
}
