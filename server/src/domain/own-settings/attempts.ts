import { getExportConsents } from '@heddle/api/endpoints/exports.ts';
import * as endpoints from '@heddle/api/endpoints/user-settings.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

const { updateSettings, updateSettingsDefaults } = endpoints;
type Names<Of extends { readonly parameters: object }> = (keyof Of['parameters'])[];
// These are values of the caller's own settings. None names an object.
const own = Object.keys(updateSettings.parameters) as Names<typeof updateSettings>;
const defaults = Object.keys(updateSettingsDefaults.parameters) as Names<typeof updateSettingsDefaults>;

export const attempts: Attempts = () => [
  ...[updateSettings, endpoints.updateDisplaySettings, endpoints.updateNotificationSettings].map((endpoint) =>
    attemptsOn(endpoint, { contained: [{}], harmless: own }),
  ),
  attemptsOn(getExportConsents, { contained: [{}] }),
  attemptsOn(updateSettingsDefaults, { contained: [{}], harmless: defaults }),
];
