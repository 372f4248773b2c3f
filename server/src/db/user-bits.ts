import { type RawBuilder, sql } from 'kysely';

/** A compact set of user ids. Bit n, counted from the lowest bit of the first byte, stands for the user `first` + n. */
export interface UserBits {
  readonly first: number;
  readonly bits: Buffer;
}

/** @param userIds at least one, in any order */
export function userBits(userIds: readonly number[]): UserBits {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const userId of userIds) {
    if (userId < first) first = userId;
    if (userId > last) last = userId;
  }
  const bits = Buffer.alloc(((last - first) >> 3) + 1);
  for (const userId of userIds) {
    const place = userId - first;
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  }
  return { first, bits };
}

/** SQL that checks whether the set in two columns contains the user. */
export function bitsHold(
  { first, bits }: { readonly first: RawBuilder<unknown>; readonly bits: RawBuilder<unknown> },
  userId: number | RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`
    CASE WHEN ${userId} >= ${first} AND ${userId} - ${first} < octet_length(${bits}) * 8
         THEN get_bit(${bits}, ${userId} - ${first}) = 1
         ELSE false
    END`;
}
