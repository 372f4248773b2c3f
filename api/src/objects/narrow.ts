import Type from 'typebox';
import { list, MOST_RECIPIENTS, text } from '../bounds.ts';

const operand = Type.Union([
  text(),
  Type.Integer(),
  Type.Boolean(),
  list(Type.Integer(), MOST_RECIPIENTS),
  list(text(), MOST_RECIPIENTS),
]);

/** One term of a narrow: an object, or the older pair of operator and operand. */
export const narrowTerm = Type.Union([
  Type.Object({ operator: text(), operand, negated: Type.Optional(Type.Boolean()) }),
  list(text(), 2, { minItems: 2 }),
]);
