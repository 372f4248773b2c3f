import Type from 'typebox';

export const alertWordsState = { alert_words: Type.Optional(Type.Array(Type.String())) };
