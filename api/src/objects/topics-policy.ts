import Type from 'typebox';

/** Which topics a channel accepts (interface document, "Topics policy rules"). */
export const topicsPolicy = Type.Union([
  Type.Literal('inherit'),
  Type.Literal('allow_empty_topic'),
  Type.Literal('disable_empty_topic'),
  Type.Literal('empty_topic_only'),
]);
