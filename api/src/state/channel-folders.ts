import Type from 'typebox';
import { channelFolder } from '../objects/channel-folder.ts';

export const channelFoldersState = { channel_folders: Type.Optional(Type.Array(channelFolder)) };
