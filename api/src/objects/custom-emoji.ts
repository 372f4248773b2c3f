import Type from 'typebox';

/** A custom emoji of an organization. */
export const customEmoji = Type.Object({
  id: Type.String(),
  name: Type.String(),
  source_url: Type.String({ description: 'The path of the image' }),
  still_url: Type.Union([Type.String(), Type.Null()], {
    description: 'The path of a still image if the emoji is animated',
  }),
  deactivated: Type.Boolean(),
  author_id: Type.Integer(),
});

/** All custom emoji by ID. */
export const customEmojiById = Type.Record(Type.String(), customEmoji);
