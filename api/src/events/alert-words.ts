import Type from 'typebox';

export const alertWordsEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('alert_words'),
  alert_words: Type.Array(Type.String()),
});
