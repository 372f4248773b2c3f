import Type from 'typebox';

/** Where code of a language can be tried out. */
export const playground = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  pygments_language: Type.String({ description: 'As `data-code-language` of code blocks has it' }),
  url_template: Type.String({ description: 'RFC 6570, with the one variable `code`' }),
});
