import { ORGANIZATION_PERMISSIONS, type PermissionDefinition } from '../../access/organization-settings.ts';
import { SystemGroup } from '../../directory/records.ts';

const { nobody, administrators, everyone } = SystemGroup;

/** What a permission's form shows. */
interface PermissionForm {
  readonly defaultGroup: string;
  /** Groups made by the server itself; null where it is the same. */
  readonly defaultOfSystemGroups?: SystemGroup;
  readonly allowsNobody?: boolean;
  readonly allowsEveryone?: boolean;
  readonly onlySystemGroups?: readonly SystemGroup[] | null;
}

/** Stands for whoever created the channel or the group, and for nobody where that is not known. */
const CREATOR = { channel: 'stream_creator_or_nobody', group: 'group_creator' };

const CHANNEL_PERMISSIONS: Readonly<Record<string, PermissionForm>> = {
  can_add_subscribers_group: { defaultGroup: nobody },
  can_administer_channel_group: { defaultGroup: CREATOR.channel },
  can_create_topic_group: { defaultGroup: everyone, allowsEveryone: true },
  can_delete_any_message_group: { defaultGroup: nobody, allowsEveryone: true },
  can_delete_own_message_group: { defaultGroup: nobody, allowsEveryone: true },
  can_move_messages_out_of_channel_group: { defaultGroup: nobody, allowsEveryone: true },
  can_move_messages_within_channel_group: { defaultGroup: nobody, allowsEveryone: true },
  can_remove_subscribers_group: { defaultGroup: administrators, allowsEveryone: true },
  can_resolve_topics_group: { defaultGroup: nobody, allowsEveryone: true },
  can_send_message_group: { defaultGroup: everyone, allowsEveryone: true },
  can_subscribe_group: { defaultGroup: nobody },
};

const GROUP_PERMISSIONS: Readonly<Record<string, PermissionForm>> = {
  can_add_members_group: { defaultGroup: CREATOR.group, defaultOfSystemGroups: nobody },
  can_join_group: { defaultGroup: nobody, defaultOfSystemGroups: nobody },
  can_leave_group: { defaultGroup: everyone, defaultOfSystemGroups: nobody, allowsEveryone: true },
  can_manage_group: { defaultGroup: CREATOR.group, defaultOfSystemGroups: nobody },
  can_mention_group: { defaultGroup: everyone, defaultOfSystemGroups: nobody, allowsEveryone: true },
  can_remove_members_group: { defaultGroup: nobody, defaultOfSystemGroups: nobody },
};

/** Which values permissions take, of organizations, channels and groups (`server_supported_permission_settings`). */
export const SUPPORTED_PERMISSIONS = {
  realm: each(ORGANIZATION_PERMISSIONS, (permission: PermissionDefinition) =>
    present({ defaultGroup: permission.default, ...permission }),
  ),
  stream: each(CHANNEL_PERMISSIONS, present),
  group: each(GROUP_PERMISSIONS, present),
};

function each<From, To>(table: Readonly<Record<string, From>>, convert: (from: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, convert(value)]));
}

function present(form: PermissionForm) {
  return {
    require_system_group: (form.onlySystemGroups ?? null) !== null,
    allow_internet_group: false,
    allow_nobody_group: form.allowsNobody ?? true,
    allow_everyone_group: form.allowsEveryone ?? false,
    default_group_name: form.defaultGroup,
    default_for_system_groups: form.defaultOfSystemGroups ?? null,
    allowed_system_groups: [...(form.onlySystemGroups ?? [])],
  };
}
