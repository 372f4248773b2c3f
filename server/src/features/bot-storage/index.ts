import { ofConsenting } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { botStorageRoutes } from './routes.ts';

/** Texts by key that programs store with their accounts. */
export const botStorage: Feature = {
  routes: botStorageRoutes,
  exports: [
    {
      table: 'bot_storage',
      fields: ['user_id', 'key', 'value'],
      rows: ofConsenting,
    },
  ],
};
