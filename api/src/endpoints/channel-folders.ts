import Type from 'typebox';
import { list, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { channelFolder, MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from '../objects/channel-folder.ts';

const AREA = 'Channel folders';
const FOR_ADMINISTRATORS = 'For administrators of the organization.';

/** Maximum number of folders in an organization. */
export const MAX_CHANNEL_FOLDERS = 500;

const name = text({
  description: `At most ${MAX_FOLDER_NAME_LENGTH} characters; the server trims it. Unique regardless of case, also among archived folders`,
});
const description = text({ description: `Markdown of at most ${MAX_FOLDER_DESCRIPTION_LENGTH} characters` });

export const createChannelFolder = defineEndpoint({
  operationId: 'create-channel-folder',
  method: 'POST',
  path: '/channel_folders/create',
  area: AREA,
  summary: 'Create a channel folder',
  description: FOR_ADMINISTRATORS,
  authentication: 'required',
  parameters: { name: required(name), description: required(description) },
  response: Type.Object({ channel_folder_id: Type.Integer() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const getChannelFolders = defineEndpoint({
  operationId: 'get-channel-folders',
  method: 'GET',
  path: '/channel_folders',
  area: AREA,
  summary: 'List channel folders in their order',
  authentication: 'required',
  parameters: { include_archived: defaulted(Type.Boolean(), false) },
  response: Type.Object({ channel_folders: Type.Array(channelFolder) }),
  errors: [],
});

export const reorderChannelFolders = defineEndpoint({
  operationId: 'patch-channel-folders',
  method: 'PATCH',
  path: '/channel_folders',
  area: AREA,
  summary: 'Change the order of channel folders',
  description: FOR_ADMINISTRATORS,
  authentication: 'required',
  parameters: {
    order: required(list(Type.Integer(), MAX_CHANNEL_FOLDERS), {
      description: 'The IDs of all folders, including archived ones',
    }),
  },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const updateChannelFolder = defineEndpoint({
  operationId: 'update-channel-folder',
  method: 'PATCH',
  path: '/channel_folders/{channel_folder_id}',
  area: AREA,
  summary: 'Change, archive or unarchive a channel folder',
  description: `${FOR_ADMINISTRATORS} Only folders without channels can be archived.`,
  authentication: 'required',
  parameters: {
    channel_folder_id: inPath(Type.Integer()),
    name: optional(name),
    description: optional(description),
    is_archived: optional(Type.Boolean()),
  },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
