import Type from 'typebox';
import { list, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { channelFolder, MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from '../objects/channel-folder.ts';

const AREA = 'Channel folders';
const FOR_ADMINISTRATORS = 'For administrators of the organization.';

/** Folders that an organization can have. */
export const MOST_FOLDERS = 500;

const name = text({
  description: `Blanks around it are dropped; at most ${MAX_FOLDER_NAME_LENGTH} characters; unique whichever case, among archived ones too`,
});
const description = text({ description: `Markup; at most ${MAX_FOLDER_DESCRIPTION_LENGTH} characters` });

export const createChannelFolder = defineEndpoint({
  operationId: 'create-channel-folder',
  method: 'POST',
  path: '/channel_folders/create',
  area: AREA,
  summary: 'Create a folder',
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
  summary: 'List the folders of channels, in their order',
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
  summary: 'Put the folders into another order',
  description: FOR_ADMINISTRATORS,
  authentication: 'required',
  parameters: {
    order: required(list(Type.Integer(), MOST_FOLDERS), {
      description: 'The ids of all folders, of archived ones too',
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
  summary: 'Change a folder, archive it or open it again',
  description: `${FOR_ADMINISTRATORS} Only a folder without channels can be archived.`,
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
