import type { OrganizationSettingName } from '../../access/organization-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Presenter } from '../../directory/presenters.ts';
import { presentSettings, type WireSettings } from './settings.ts';

/** What `realm` events carry in the log: the changed settings as they are since the event. */
export interface OrganizationEvent {
  readonly op: 'update';
  readonly settings: WireSettings;
}

/** The body of the event that announces changed settings. */
export function organizationUpdate(directory: Directory, names: Iterable<OrganizationSettingName>): OrganizationEvent {
  return { op: 'update', settings: presentSettings(directory, names) };
}

export const organizationPresenter: Presenter = {
  present(event) {
    const { settings } = event.body as OrganizationEvent;
    return { type: 'realm', op: 'update_dict', property: 'default', data: settings };
  },
};
