import Type from 'typebox';

/** A piece of text that a user keeps to write it again (interface document, "Saved snippet"). */
export const savedSnippet = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    content: Type.String({ description: 'Markup, as it was written' }),
    date_created: Type.Integer({ description: 'Seconds since the epoch' }),
  },
  { title: 'SavedSnippet' },
);
