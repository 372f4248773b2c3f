import Type from 'typebox';

export const linkifier = Type.Object({
  id: Type.Integer(),
  pattern: Type.String({ description: 'A regular expression (RE2 syntax)' }),
  url_template: Type.String({ description: 'An RFC 6570 template. Its variables are the named groups of the pattern' }),
});

/** A link in the name of a topic, in the order of the name. */
export const topicLink = Type.Object({ text: Type.String(), url: Type.String() });
