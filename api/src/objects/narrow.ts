import Type from 'typebox';
import { list, MOST_RECIPIENTS, MOST_TERMS, text } from '../bounds.ts';

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

/** All of its terms must hold. Some clients send null for no terms. */
export const narrow = Type.Union([list(narrowTerm, MOST_TERMS), Type.Null()]);

/** Around which message: an id, as a number or in digits, or one that the server finds. */
export const anchor = Type.Union([
  Type.Integer(),
  Type.Literal('newest'),
  Type.Literal('oldest'),
  Type.Literal('first_unread'),
  text({ pattern: '^-?\\d+$' }),
]);
