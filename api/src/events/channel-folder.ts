import Type from 'typebox';
import { channelFolder } from '../objects/channel-folder.ts';

const common = { id: Type.Integer(), type: Type.Literal('channel_folder') };

export const channelFolderEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add'), channel_folder: channelFolder }),
  Type.Object({
    ...common,
    op: Type.Literal('update'),
    channel_folder_id: Type.Integer(),
    /** The changed fields. */
    data: Type.Object({
      name: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      rendered_description: Type.Optional(Type.String()),
      is_archived: Type.Optional(Type.Boolean()),
    }),
  }),
  /** The IDs of all folders. The `order` of a folder is its index, from 0. */
  Type.Object({ ...common, op: Type.Literal('reorder'), order: Type.Array(Type.Integer()) }),
]);
