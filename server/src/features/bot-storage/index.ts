import type { Feature } from '../feature.ts';
import { botStorageAttempts } from './attempts.ts';
import { botStorageRoutes } from './routes.ts';

/** Texts by key that programs keep with their accounts. */
export const botStorage: Feature = {
  name: 'bot-storage',
  routes: botStorageRoutes,
  attempts: botStorageAttempts,
};
