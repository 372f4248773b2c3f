import * as endpoints from '@heddle/api/endpoints/drafts.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { readValue } from '../../db/prepared.ts';
import type { OptimisticChange, Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { settingOf } from '../../domain/users/user-settings/queries.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { createDrafts, deleteDraft, editDraft } from './actions.ts';
import { presentDraft } from './present.ts';
import { selectDrafts } from './queries.ts';

export function draftRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.getDrafts, {}, async ({ organization, caller }) => {
      checkSynchronizes(caller);
      const drafts = await readValue(app.db, selectDrafts(organization.id, caller.id));
      return { count: drafts.length, drafts: drafts.map((draft) => presentDraft(draft, true)).reverse() };
    }),

    route(endpoints.createDrafts, {}, async ({ parameters, organization, caller }) => {
      const { drafts } = parameters;
      return { ids: await change(organization, caller, (open, user) => createDrafts(open, user, drafts)) };
    }),

    route(endpoints.editDraft, {}, async ({ parameters, organization, caller }) => {
      const { draft_id: id, draft } = parameters;
      await change(organization, caller, (open, user) => editDraft(open, user, id, draft));
      return {};
    }),

    route(endpoints.deleteDraft, {}, async ({ parameters, organization, caller }) => {
      await change(organization, caller, (open, user) => deleteDraft(open, user, parameters.draft_id));
      return {};
    }),
  ];
}

/**
 * An optimistic transaction that checks whether the caller's drafts are synchronized. Otherwise it could leave a draft that no client
 * shows.
 */
function change<Result>(
  organization: Organization,
  caller: UserRecord,
  act: (open: OptimisticChange, user: UserRecord) => Promise<Result>,
): Promise<Result> {
  return organization.transact(caller, 'optimistic', (open, user) => {
    checkSynchronizes(user);
    return act(open, user);
  });
}

/** @throws ApiError `BAD_REQUEST`: the caller does not synchronize drafts */
function checkSynchronizes(caller: UserRecord): void {
  if (!settingOf(caller, 'enable_drafts_synchronization')) throw badRequest('User has disabled synchronizing drafts.');
}
