import * as endpoints from '@heddle/api/endpoints/profile-fields.ts';
import { badRequest } from '@heddle/api/errors.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { profileRenderer } from '../../texts/descriptions/descriptions.ts';
import { changeField, createField, deleteField, reorderFields } from './actions.ts';
import { presentFields } from './queries.ts';
import { changeProfile, type RequestedProfileValue, renderAhead } from './values.ts';

export function profileFieldRoutes(app: AppContext): readonly HeddleRoute[] {
  async function changeOwn(
    organization: Organization,
    caller: UserRecord,
    requested: readonly RequestedProfileValue[],
  ) {
    if (caller.isBot) throw badRequest('This endpoint does not accept bot requests.');
    const { directory } = organization;
    const render = profileRenderer(directory, caller.id, app.address.of(directory.organization.subdomain));
    if (requested.length === 0) return {};
    renderAhead(directory, requested, render);
    await organization.transact(caller, 'exclusive', (change, user) =>
      changeProfile(change, { caller: user, userId: user.id, render }, requested),
    );
    return {};
  }

  return [
    route(endpoints.getProfileFields, {}, ({ organization }) => ({
      custom_fields: presentFields(organization.directory),
    })),

    route(endpoints.createProfileField, {}, async ({ parameters, organization, caller }) => ({
      id: await organization.transact(caller, 'exclusive', (change, user) => createField(change, user, parameters)),
    })),

    route(endpoints.reorderProfileFields, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) => reorderFields(change, user, parameters.order));
      return {};
    }),

    route(endpoints.updateProfileField, {}, async ({ parameters, organization, caller }) => {
      const { field_id: id, ...requested } = parameters;
      const changed = () =>
        organization.transact(caller, 'exclusive', (change, user) => changeField(change, user, { ...requested, id }));
      while (!(await changed())) await organization.yieldToOthers();
      return {};
    }),

    route(endpoints.deleteProfileField, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) =>
        deleteField(change, user, parameters.field_id),
      );
      app.jobs.wake();
      return {};
    }),

    route(endpoints.updateProfileData, {}, ({ parameters, organization, caller }) =>
      changeOwn(organization, caller, parameters.data),
    ),

    route(endpoints.deleteProfileData, {}, ({ parameters, organization, caller }) =>
      changeOwn(
        organization,
        caller,
        parameters.data.map((id) => ({ id, value: null })),
      ),
    ),
  ];
}
