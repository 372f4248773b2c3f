import type { OrganizationPermission } from '@heddle/client/model/organization.ts';
import type { ReactNode } from 'react';
import { type Message, msg, t } from '../../base/i18n.ts';
import { FormSection } from '../../design/form.tsx';
import { GroupSetting } from '../group-setting-picker.tsx';
import { useOrganization } from './use-organization.ts';

interface Section {
  readonly title: Message;
  readonly permissions: readonly (readonly [OrganizationPermission, Message])[];
}

/** Without permissions of features that Heddle does not have: billing and summaries of topics. */
const SECTIONS: readonly Section[] = [
  {
    title: msg('People'),
    permissions: [
      ['can_invite_users_group', msg('Who can invite by mail')],
      ['create_multiuse_invite_group', msg('Who can invite by link')],
      ['can_access_all_users_group', msg('Who can see all people')],
      ['can_create_groups', msg('Who can create groups')],
      ['can_manage_all_groups', msg('Who can manage all groups')],
    ],
  },
  {
    title: msg('Channels'),
    permissions: [
      ['can_create_public_channel_group', msg('Who can create public channels')],
      ['can_create_private_channel_group', msg('Who can create private channels')],
      ['can_create_web_public_channel_group', msg('Who can create web-public channels')],
      ['can_add_subscribers_group', msg('Who can add others to channels')],
      ['can_mention_many_users_group', msg('Who can mention many people at once')],
    ],
  },
  {
    title: msg('Messages'),
    permissions: [
      ['direct_message_permission_group', msg('Who can take part in direct messages')],
      ['direct_message_initiator_group', msg('Who can start direct messages')],
      ['can_move_messages_between_topics_group', msg('Who can move messages to other topics')],
      ['can_move_messages_between_channels_group', msg('Who can move messages to other channels')],
      ['can_resolve_topics_group', msg('Who can resolve topics')],
      ['can_pin_messages_group', msg('Who can pin messages')],
      ['can_delete_any_message_group', msg('Who can delete any message')],
      ['can_delete_own_message_group', msg('Who can delete own messages')],
      ['can_set_topics_policy_group', msg('Who can decide about topics of a channel')],
      ['can_set_delete_message_policy_group', msg('Who can decide about deletions in a channel')],
    ],
  },
  {
    title: msg('Bots and emoji'),
    permissions: [
      ['can_create_bots_group', msg('Who can create bots')],
      ['can_create_write_only_bots_group', msg('Who can create bots that only write')],
      ['can_add_custom_emoji_group', msg('Who can add custom emoji')],
    ],
  },
];

/** Who may do what: roles, groups and people. */
export function PermissionsPage(): ReactNode {
  const { model, settings, update, refusal } = useOrganization();
  const { supported_permission_settings, own_permission_settings } = model.organization.server;
  const rules = { ...supported_permission_settings?.realm, ...own_permission_settings };
  return SECTIONS.map(({ title, permissions }) => (
    <FormSection key={title} title={t(title)}>
      {permissions.map(([name, label]) => (
        <GroupSetting
          key={name}
          label={t(label)}
          value={settings[name]}
          rule={rules[name]}
          refusal={refusal(name)}
          save={(change) => update({ [name]: change })}
        />
      ))}
    </FormSection>
  ));
}
