import * as exports from '@heddle/api/endpoints/exports.ts';
import * as settings from '@heddle/api/endpoints/user-settings.ts';
import { type AccessRow, row } from '../../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  row(settings.updateSettings, 'always', '+++++b uuxu', () => ({ enter_sends: true })),
  row(settings.updateDisplaySettings, 'always', '+++++b uuxu', () => ({ timezone: 'UTC' })),
  row(settings.updateNotificationSettings, 'always', '+++++b uuxu', () => ({ enable_sounds: false })),
  row(settings.updateSettingsDefaults, 'always', '++pppp uuxu', () => ({ enter_sends: true })),
  row(exports.getExportConsents, 'always', '++pppp uuxu'),
];
