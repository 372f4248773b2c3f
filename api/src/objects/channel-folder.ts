import Type from 'typebox';

/** Maximum length of a name, in characters: `max_channel_folder_name_length`. */
export const MAX_FOLDER_NAME_LENGTH = 60;
/** Maximum length of a description, in characters: `max_channel_folder_description_length`. */
export const MAX_FOLDER_DESCRIPTION_LENGTH = 1024;

/** A channel folder. */
export const channelFolder = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  rendered_description: Type.String(),
  creator_id: Type.Union([Type.Integer(), Type.Null()]),
  date_created: Type.Integer({ description: 'Seconds since the epoch' }),
  is_archived: Type.Boolean(),
  order: Type.Integer({ description: 'Clients show folders in ascending order' }),
});
