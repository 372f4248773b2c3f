/** Settings and permissions of the organization that only Heddle has. A client that does not know one gets neither it nor its events. */
import type { OrganizationPermission } from '@heddle/api/permissions.ts';
import type { PlainSettingName } from '../../../access/organization-settings.ts';
import type { ClientCapabilities } from '../../../log/queue.ts';

type Fields = Readonly<Record<string, unknown>>;

export const GIF_PICKER = 'gif_picker';

/** The capability of the clients that know it. */
const CAPABILITY_OF: ReadonlyMap<string, keyof ClientCapabilities> = new Map<string, keyof ClientCapabilities>([
  ['can_pin_messages_group' satisfies OrganizationPermission, 'pinnedMessages'],
  ['message_content_allowed_in_web_push' satisfies PlainSettingName, 'webPush'],
  [GIF_PICKER, 'gifPicker'],
]);
const CAPABILITIES = [...new Set(CAPABILITY_OF.values())];

/** Whether a client knows the setting. Every client knows those that are no extensions. */
export function isKnownTo(capabilities: ClientCapabilities, name: string): boolean {
  const needed = CAPABILITY_OF.get(name);
  return needed === undefined || capabilities[needed] === true;
}

/** Fields by the names of settings: those that the client knows. */
export function knownTo(capabilities: ClientCapabilities, fields: Fields): Fields {
  return select(fields, (name) => isKnownTo(capabilities, name));
}

/** The fields that are extensions. */
export function extensionsAmong(fields: Fields): Fields {
  return select(fields, (name) => CAPABILITY_OF.has(name));
}

/** The fields without extensions. */
export function withoutExtensions(fields: Fields): Fields {
  return select(fields, (name) => !CAPABILITY_OF.has(name));
}

/** Equal for clients that know the same extensions. */
export function knowledgeOfExtensions(capabilities: ClientCapabilities): string {
  return CAPABILITIES.filter((capability) => capabilities[capability]).join(' ');
}

function select(fields: Fields, isChosen: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isChosen(name)));
}
