export type { DeletionBody } from './events.ts';
