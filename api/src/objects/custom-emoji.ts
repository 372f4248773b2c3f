import Type from 'typebox';

/** One of the organization's own emoji. */
export const customEmoji = Type.Object({
  id: Type.String(),
  name: Type.String(),
  source_url: Type.String({ description: "Its picture, as a path of the organization's address" }),
  still_url: Type.Union([Type.String(), Type.Null()], { description: 'Of one that moves, a picture that does not' }),
  deactivated: Type.Boolean(),
  author_id: Type.Integer(),
});

/** All of them, by their ids. */
export const customEmojiById = Type.Record(Type.String(), customEmoji);
