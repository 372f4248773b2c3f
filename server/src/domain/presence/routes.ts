import * as endpoints from '@heddle/api/endpoints/presence.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { accountAt } from '../../access/addresses.ts';
import { organizationSetting } from '../../access/organization-settings.ts';
import { accessPerson } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { settingOf } from '../users/user-settings/queries.ts';
import { presentOne } from './present.ts';
import { presenceAnswers, presencesOf } from './queries.ts';

export function presenceRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.updatePresence, {}, async ({ parameters, organization, caller }) => {
      const { status, last_update_id: after, history_limit_days: historyDays } = parameters;
      if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
      if (status !== 'active' && status !== 'idle') throw badRequest(`Invalid status: ${status}`);
      const presences = presencesOf(app, organization);
      await presences.ready();
      const now = Date.now() / 1000;
      const [isActive, hasInput] = [status === 'active', parameters.new_user_input];
      const { id: userId } = caller;
      if (settingOf(caller, 'presence_enabled')) presences.report({ userId, isActive, hasInput }, Math.floor(now));
      else if (isActive || hasInput) presences.see(userId, Math.floor(now));
      if (parameters.ping_only) return {};
      const answers = await presenceAnswers(app, organization);
      const isModern = parameters.slim_presence || after !== undefined;
      const answer = answers.answer({ isModern, after, historyDays }, caller);
      return {
        presences: answer.presences,
        server_timestamp: now,
        presence_last_update_id: answer.lastUpdateId,
      };
    }),

    route(endpoints.getUserPresence, {}, async ({ parameters, organization, caller }) => {
      const { user_id_or_email: named } = parameters;
      const { directory } = organization;
      const user = userNamed(directory, caller, named);
      if (user === undefined) throw badRequest('No such user');
      // First, so the error for an inaccessible user does not reveal that the user is deactivated.
      accessPerson(directory, caller, user);
      if (!user.isActive) throw badRequest('No such user');
      if (user.isBot) throw badRequest('Presence is not supported for bot users.');
      const presences = presencesOf(app, organization);
      await presences.ready();
      const presence = organizationSetting(directory, 'presence_disabled') ? undefined : presences.of(user.id);
      if (presence === undefined) throw badRequest(`No presence data for ${named}`);
      return { presence: presentOne(user, presence, Date.now() / 1000) };
    }),

    route(endpoints.getPresences, {}, async ({ organization, caller }) => {
      const answers = await presenceAnswers(app, organization);
      const { presences } = answers.answer({ isModern: false, after: undefined, historyDays: undefined }, caller);
      return { presences, server_timestamp: Date.now() / 1000 };
    }),
  ];
}

/** Finds a user by id or by API address. It does not accept real addresses, so it does not reveal whose they are. */
function userNamed(directory: Directory, caller: UserRecord, named: string): UserRecord | undefined {
  if (/^\d+$/.test(named)) return directory.user(Number(named));
  const user = accountAt(directory, caller, named);
  return user?.email.toLowerCase() === named.toLowerCase() ? user : undefined;
}
