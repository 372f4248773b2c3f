import Type from 'typebox';

/** A code playground: a page that runs code of a language. */
export const playground = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  pygments_language: Type.String({ description: 'The value of `data-code-language` in code blocks' }),
  url_template: Type.String({ description: 'An RFC 6570 template with the variable `code`' }),
});
