import { badRequest } from '@heddle/api/errors.ts';

/** The colors of new subscriptions, in the order of use. Clients of this API know the same list. */
export const SUBSCRIPTION_COLORS = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
] as const;

/**
 * Returns a color as `#rrggbb` in lower case, which clients expect.
 * @param place the name of the object in the request, for the error text
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedColor(value: boolean | string, place: string): string {
  const digits = typeof value === 'string' ? /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value)?.[1] : undefined;
  if (digits === undefined) throw badRequest(`Invalid ${place}: Value error, color is not a valid hex color code`);
  const long = digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
  return `#${long.toLowerCase()}`;
}

/** The palette colors that a user has assigned, one bit each in the order of the list. Other colors do not matter. */
export type UsedColors = number;

export const NO_COLORS_MASK: UsedColors = 0;

export function withColor(used: UsedColors, color: string): UsedColors {
  const place = (SUBSCRIPTION_COLORS as readonly string[]).indexOf(color);
  return place < 0 ? used : used | (1 << place);
}

/** The first unused color. If all are used, the channel's id selects one. */
export function pickColor(used: UsedColors, channelId: number): string {
  const unused = SUBSCRIPTION_COLORS.find((_, place) => (used & (1 << place)) === 0);
  return unused ?? SUBSCRIPTION_COLORS[channelId % SUBSCRIPTION_COLORS.length] ?? SUBSCRIPTION_COLORS[0];
}

/** The assigned colors by user id. Users without any are missing. */
export type GivenColors = Map<number, UsedColors>;

/** Chooses a color and marks it as used, so that several channels in one request get different colors. */
export function newColor(colors: GivenColors, userId: number, channelId: number, chosen?: string): string {
  const used = colors.get(userId) ?? NO_COLORS_MASK;
  const color = chosen ?? pickColor(used, channelId);
  colors.set(userId, withColor(used, color));
  return color;
}
