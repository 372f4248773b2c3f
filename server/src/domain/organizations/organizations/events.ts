import { ORGANIZATION_PERMISSIONS } from '@heddle/api/permissions.ts';
import type { OrganizationSettingName } from '../../../access/organization-settings.ts';
import type { Presenter } from '../../../directory/presenters.ts';
import { isKnownTo, knowledgeOfExtensions, knownTo } from './extension-settings.ts';
import type { OrganizationEvent } from './present.ts';
import type { WireSettings } from './settings.ts';

/**
 * Settings that clients expect in a dictionary, besides the permissions. All others have an event each (public
 * reference: "Get events", `realm`).
 */
const IN_DICTIONARY: ReadonlySet<OrganizationSettingName | 'name' | 'description'> = new Set([
  ...(Object.keys(ORGANIZATION_PERMISSIONS) as OrganizationSettingName[]),
  'allow_message_editing' as const,
  'message_content_edit_limit_seconds' as const,
  'topics_policy' as const,
]);

/** The bodies of the events that announce these settings. Each includes the fields that older clients read instead. */
export function organizationUpdates(
  changed: ReadonlyMap<OrganizationSettingName | 'name' | 'description', WireSettings>,
): readonly OrganizationEvent[] {
  const dictionary: WireSettings[] = [];
  const others: OrganizationEvent[] = [];
  for (const [name, fields] of changed) {
    if (IN_DICTIONARY.has(name)) dictionary.push(fields);
    else for (const [property, value] of Object.entries(fields)) others.push({ op: 'update-one', property, value });
  }
  if (dictionary.length === 0) return others;
  return [{ op: 'update', settings: Object.assign({}, ...dictionary) }, ...others];
}

export const organizationPresenter: Presenter = {
  variant({ capabilities }) {
    return knowledgeOfExtensions(capabilities);
  },

  present(event, { capabilities }) {
    const body = event.body as OrganizationEvent;
    switch (body.op) {
      case 'update': {
        const data = knownTo(capabilities, body.settings);
        return Object.keys(data).length === 0 ? null : { type: 'realm', op: 'update_dict', property: 'default', data };
      }
      case 'update-one':
        if (!isKnownTo(capabilities, body.property)) return null;
        return { type: 'realm', op: 'update', property: body.property, value: body.value };
      case 'update-picture':
        return { type: 'realm', op: 'update_dict', property: body.property, data: body.data };
    }
  },
};
