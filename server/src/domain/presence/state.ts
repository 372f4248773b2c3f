import { type StatePart, statePart } from '../../extension/initial-state.ts';
import type { PresenceAnswers } from './answers.ts';
import { type PresenceContext, presenceAnswers } from './queries.ts';

/** The presence of all users, at or after the log's position. So a later event can repeat what the state has. */
export function presenceState(app: PresenceContext): StatePart {
  return statePart<undefined, PresenceAnswers | undefined>({
    types: ['presence'],
    query(_, { directory }) {
      const organization = app.organizations.inMemoryById(directory.organization.id);
      return organization && presenceAnswers(app, organization);
    },
    build({ settings, user }, answers) {
      // The capability `simplified_presence_events` concerns events only.
      const wanted = { isModern: settings.slimPresence, after: undefined, historyDays: settings.presenceHistoryDays };
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
