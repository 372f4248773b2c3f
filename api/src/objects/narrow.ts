import Type from 'typebox';

const operand = Type.Union([
  Type.String(),
  Type.Integer(),
  Type.Boolean(),
  Type.Array(Type.Integer()),
  Type.Array(Type.String()),
]);

/** One term of a narrow: an object, or the older pair of operator and operand. */
export const narrowTerm = Type.Union([
  Type.Object({ operator: Type.String(), operand, negated: Type.Optional(Type.Boolean()) }),
  Type.Array(Type.String(), { minItems: 2, maxItems: 2 }),
]);
