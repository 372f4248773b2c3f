import type { ComposeSession } from './session.ts';

/** The sessions whose text is on the screen. */
export const liveSessions = new Set<ComposeSession>();
