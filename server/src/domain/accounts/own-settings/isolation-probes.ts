import { getExportConsents } from '@heddle/api/endpoints/exports.ts';
import * as endpoints from '@heddle/api/endpoints/user-settings.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

const { updateSettings, updateSettingsDefaults } = endpoints;
type Names<Of extends { readonly parameters: object }> = (keyof Of['parameters'])[];
// These are values of the caller's own settings. None names an object.
const own = Object.keys(updateSettings.parameters) as Names<typeof updateSettings>;
const defaults = Object.keys(updateSettingsDefaults.parameters) as Names<typeof updateSettingsDefaults>;

export const isolationProbes: IsolationProbes = () => [
  ...[updateSettings, endpoints.updateDisplaySettings, endpoints.updateNotificationSettings].map((endpoint) =>
    probesOf(endpoint, { contained: [{}], harmless: own }),
  ),
  probesOf(getExportConsents, { contained: [{}] }),
  probesOf(updateSettingsDefaults, { contained: [{}], harmless: defaults }),
];
