import { type StatePart, statePart } from '../initial-state.ts';
import type { PresenceAnswers } from './answers.ts';
import { type PresenceRooms, presenceAnswers } from './queries.ts';

/** Who is there: as of a moment at or after the log's position, so an event that follows may tell what is known already. */
export function presenceState(rooms: PresenceRooms): StatePart {
  return statePart<undefined, PresenceAnswers | undefined>({
    types: ['presence'],
    query(_, { directory }) {
      const organization = rooms.organizations.inMemoryById(directory.organization.id);
      return organization && presenceAnswers(rooms, organization);
    },
    build({ settings, user }, answers) {
      const isModern = settings.slimPresence || settings.capabilities.simplifiedPresenceEvents;
      const wanted = { isModern, after: undefined, historyDays: settings.presenceHistoryDays };
      const answer = answers?.answer(wanted, user);
      return {
        presences: answer?.presences ?? {},
        presence_last_update_id: answer?.lastUpdateId ?? -1,
        server_timestamp: Date.now() / 1000,
      };
    },
    spectators: {
      build: () => ({ presences: {}, presence_last_update_id: -1, server_timestamp: Date.now() / 1000 }),
    },
  });
}
