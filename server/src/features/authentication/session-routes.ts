/** The list of the caller's sessions, and their end. */
import * as endpoints from '@heddle/api/endpoints/sessions.ts';
import { resourceNotFound } from '@heddle/api/errors.ts';
import {
  endOtherSessionsOf,
  endSessionCalled,
  type OpenSession,
  sessionsOf,
} from '../../domain/credentials/sessions.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';

export function sessionRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.getSessions, {}, async ({ organization, caller, session: token }) => {
      const sessions = await sessionsOf(app, organization.id, { userId: caller.id, token });
      return { sessions: sessions.map(presentSession) };
    }),

    route(endpoints.endSession, {}, async ({ organization, caller, parameters }) => {
      if (!(await endSessionCalled(organization, caller.id, parameters.session_id))) {
        throw resourceNotFound('Session does not exist');
      }
      return {};
    }),

    route(endpoints.endOtherSessions, {}, async ({ organization, caller, session }) => {
      await endOtherSessionsOf(organization, caller.id, session);
      return {};
    }),
  ];
}

function presentSession({ name, isThis, device, network, createdAt, usedAt }: OpenSession) {
  return {
    session_id: name,
    is_current: isThis,
    ...device,
    network,
    created_at: inSeconds(createdAt),
    last_used_at: inSeconds(usedAt),
  };
}

function inSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
