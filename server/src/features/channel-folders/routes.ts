import * as endpoints from '@heddle/api/endpoints/channel-folders.ts';
import { readValue } from '../../db/prepared.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { selectFolders } from '../../domain/channels/open-folders.ts';
import { descriptionRenderer } from '../../domain/texts/descriptions/descriptions.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { changeFolder, createFolder, reorderFolders } from './actions.ts';

export function channelFolderRoutes(app: AppContext): readonly HeddleRoute[] {
  const rendererFor = ({ directory }: Organization, caller: UserRecord) =>
    descriptionRenderer(directory, caller.id, app.address.of(directory.organization.subdomain));

  return [
    route(endpoints.getChannelFolders, {}, async ({ parameters, organization }) => ({
      channel_folders: await readValue(app.db, selectFolders(organization.id, parameters.include_archived)),
    })),

    route(endpoints.createChannelFolder, {}, async ({ parameters, organization, caller }) => {
      const render = rendererFor(organization, caller);
      const id = await organization.transact(caller, 'exclusive', (change, user) =>
        createFolder(change, user, parameters, render),
      );
      return { channel_folder_id: id };
    }),

    route(endpoints.reorderChannelFolders, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) =>
        reorderFolders(change, user, parameters.order),
      );
      return {};
    }),

    route(endpoints.updateChannelFolder, {}, async ({ parameters, organization, caller }) => {
      const { channel_folder_id: id, name, description, is_archived } = parameters;
      const render = rendererFor(organization, caller);
      await organization.transact(caller, 'exclusive', (change, user) =>
        changeFolder(change, user, id, { name, description, is_archived, render }),
      );
      return {};
    }),
  ];
}
