import Type from 'typebox';
import { list, MAX_NARROW_TERMS, MAX_RECIPIENTS, text } from '../bounds.ts';

const operand = Type.Union([
  text(),
  Type.Integer(),
  Type.Boolean(),
  list(Type.Integer(), MAX_RECIPIENTS),
  list(text(), MAX_RECIPIENTS),
]);

/** A term of a narrow: an object, or the older pair of operator and operand. */
export const narrowTerm = Type.Union([
  Type.Object({ operator: text(), operand, negated: Type.Optional(Type.Boolean()) }),
  list(text(), 2, { minItems: 2 }),
]);

/** A message must match all terms. Some clients send null instead of an empty list. */
export const narrow = Type.Union([list(narrowTerm, MAX_NARROW_TERMS), Type.Null()]);

const id = [Type.Integer(), text({ pattern: '^-?\\d+$' })] as const;
const found = [Type.Literal('newest'), Type.Literal('oldest'), Type.Literal('first_unread')] as const;

/** The anchor: a message ID (a number or a string of digits) or a name that the server resolves. */
export const anchor = Type.Union([...found, ...id]);

/** An anchor that also supports `date`: the first message on or after a date. */
export const anchorOrDate = Type.Union([...found, Type.Literal('date'), ...id]);
