import type { Feature } from '../feature.ts';

/** Nobody asks for it by itself: other features tell guests through its actions. */
export const acquaintances: Feature = { name: 'acquaintances' };
