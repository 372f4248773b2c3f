import Type from 'typebox';

/** A text that a user saved for repeated use (interface document, "Saved snippet"). */
export const savedSnippet = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    content: Type.String({ description: 'Markdown source' }),
    date_created: Type.Integer({ description: 'Seconds since the epoch' }),
  },
  { title: 'SavedSnippet' },
);
