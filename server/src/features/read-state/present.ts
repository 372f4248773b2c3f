export type { FlagsBody } from './events.ts';
