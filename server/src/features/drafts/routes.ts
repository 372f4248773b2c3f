import * as endpoints from '@heddle/api/endpoints/drafts.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { readValue } from '../../db/prepared.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { synchronizesDrafts } from '../user-settings/queries.ts';
import { createDrafts, deleteDraft, editDraft } from './actions.ts';
import { presentDraft } from './present.ts';
import { selectDrafts } from './queries.ts';

export function draftRoutes(rooms: Rooms): readonly HeddleRoute[] {
  return [
    route(endpoints.getDrafts, {}, async ({ organization, caller }) => {
      checkSynchronizes(caller);
      const drafts = await readValue(rooms.db, selectDrafts(organization.id, caller.id));
      return { count: drafts.length, drafts: drafts.map((draft) => presentDraft(draft, true)).reverse() };
    }),

    route(endpoints.createDrafts, {}, async ({ parameters, organization, caller }) => {
      checkSynchronizes(caller);
      return {
        ids: await organization.ordinary(caller, (change, user) => createDrafts(change, user, parameters.drafts)),
      };
    }),

    route(endpoints.editDraft, {}, async ({ parameters, organization, caller }) => {
      checkSynchronizes(caller);
      const { draft_id: id, draft } = parameters;
      await organization.ordinary(caller, (change, user) => editDraft(change, user, id, draft));
      return {};
    }),

    route(endpoints.deleteDraft, {}, async ({ parameters, organization, caller }) => {
      checkSynchronizes(caller);
      await organization.ordinary(caller, (change, user) => deleteDraft(change, user, parameters.draft_id));
      return {};
    }),
  ];
}

/**
 * @throws ApiError `BAD_REQUEST`: the caller keeps their drafts to themselves
 */
function checkSynchronizes(caller: UserRecord): void {
  if (!synchronizesDrafts(caller)) throw badRequest('User has disabled synchronizing drafts.');
}
