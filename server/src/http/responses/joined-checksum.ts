/**
 * The CRC-32 of two joined pieces, from those of the pieces. A CRC is a polynomial over GF(2) modulo `POLYNOMIAL_MASK`. Appending n bytes multiplies it
 * by x^8n. Bits are reversed: the highest bit is the coefficient of x^0.
 */
const POLYNOMIAL_MASK = 0xedb88320;
const ONE_MASK = 0x80000000;
const X_MASK = 0x40000000;

/** @param shift `shiftOf` the length of the second piece */
export function joinedChecksum(first: number, second: number, shift: number): number {
  return (product(shift, first) ^ second) >>> 0;
}

/** x^8n for a piece of n bytes. */
export function shiftOf(bytes: number): number {
  let power = ONE_MASK;
  let square = X_MASK;
  for (let rest = bytes * 8; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = product(square, power);
    square = product(square, square);
  }
  return power;
}

function product(one: number, other: number): number {
  let sum = 0;
  let shifted = other;
  for (let bit = ONE_MASK; bit !== 0; bit >>>= 1) {
    if ((one & bit) !== 0) sum ^= shifted;
    shifted = (shifted & 1) === 1 ? (shifted >>> 1) ^ POLYNOMIAL_MASK : shifted >>> 1;
  }
  return sum >>> 0;
}
