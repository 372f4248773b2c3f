import * as endpoints from '@heddle/api/endpoints/quiet-hours.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { accessPerson } from '../../access/people.ts';
import { readValue } from '../../db/prepared.ts';
import { quietNow, selectQuietHours } from '../../domain/notifications/quiet-hours/queries.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { changeQuietHours } from './actions.ts';

export function quietHoursRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.updateQuietHours, {}, async ({ parameters, organization, caller }) => {
      const quiet_hours = await organization.transact(caller, 'optimistic', (change, user) =>
        changeQuietHours(change, user, parameters),
      );
      // Mails that waited for the end can be due now.
      app.scheduler.wake();
      return { quiet_hours };
    }),

    route(endpoints.getQuietHoursOfUser, {}, async ({ parameters, organization, caller }) => {
      if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
      const { directory } = organization;
      const user = directory.user(parameters.user_id);
      if (user === undefined) throw badRequest('No such user');
      accessPerson(directory, caller, user);
      const hours = await readValue(app.db, selectQuietHours(organization.id, user.id));
      const quiet = user.isActive ? quietNow(hours, user.timezone) : undefined;
      // The end of a window would tell when the user sleeps.
      const pause = hours?.paused_until ?? 0;
      return {
        paused: quiet !== undefined,
        paused_until: quiet !== undefined && pause > Date.now() / 1000 ? pause : null,
      };
    }),
  ];
}
