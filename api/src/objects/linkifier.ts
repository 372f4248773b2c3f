import Type from 'typebox';

export const linkifier = Type.Object({
  id: Type.Integer(),
  pattern: Type.String({ description: 'A regular expression in the syntax of RE2' }),
  url_template: Type.String({ description: 'RFC 6570; its variables are the groups of the pattern' }),
});

/** A link in the name of a topic, in its order there. */
export const topicLink = Type.Object({ text: Type.String(), url: Type.String() });
