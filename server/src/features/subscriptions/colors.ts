import { badRequest } from '@heddle/api/errors.ts';

/** The colours that subscriptions are given, in the order in which they are (those that clients of this API know). */
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
 * `#rrggbb` in lower case, as clients expect to read it.
 * @param place the object of the request that has the colour
 * @throws ApiError `BAD_REQUEST`
 */
export function checkedColor(value: boolean | string, place: string): string {
  const digits = typeof value === 'string' ? /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value)?.[1] : undefined;
  if (digits === undefined) throw badRequest(`Invalid ${place}: Value error, color is not a valid hex color code`);
  const long = digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
  return `#${long.toLowerCase()}`;
}

/** Which of the colours a user has given away: a bit for each, in their order. Others that people choose do not matter. */
export type UsedColors = number;

export const NO_COLORS: UsedColors = 0;

export function withColor(used: UsedColors, color: string): UsedColors {
  const place = (SUBSCRIPTION_COLORS as readonly string[]).indexOf(color);
  return place < 0 ? used : used | (1 << place);
}

/** The first colour that is not used yet; where all are, one that depends on the channel only. */
export function pickColor(used: UsedColors, channelId: number): string {
  const unused = SUBSCRIPTION_COLORS.find((_, place) => (used & (1 << place)) === 0);
  return unused ?? SUBSCRIPTION_COLORS[channelId % SUBSCRIPTION_COLORS.length] ?? SUBSCRIPTION_COLORS[0];
}

/** The colours that users have given away, by their ids; none for those who are missing. */
export type GivenColors = Map<number, UsedColors>;

/** Notes the colour as given away, so that several channels at once get different ones. */
export function newColor(colors: GivenColors, userId: number, channelId: number, chosen?: string): string {
  const used = colors.get(userId) ?? NO_COLORS;
  const color = chosen ?? pickColor(used, channelId);
  colors.set(userId, withColor(used, color));
  return color;
}
