import { archiveChannel, type UpdateChannelParameters, updateChannel } from '@heddle/client/calls/operations.ts';
import type { TopicsPolicy } from '@heddle/client/calls/types.ts';
import type { ChannelRecord } from '@heddle/client/model/channels/channel-record.ts';
import { SYSTEM_GROUPS } from '@heddle/client/model/people/roles.ts';
import type { ChannelSetting } from '@heddle/client/model/permissions/permission-table.ts';
import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { FormSection } from '../design/form.tsx';
import { ArchiveIcon, UndoIcon } from '../design/icons.ts';
import { ConfirmButton } from '../settings/confirm-button.tsx';
import { SelectSetting, SwitchSetting, TextSetting } from '../settings/controls.tsx';
import { GroupSetting } from '../settings/group-setting-picker.tsx';
import { ReadOnly } from '../settings/read-only.tsx';
import { onlyText, refusalText, roleValue } from '../settings/reasons.ts';
import { type Retention, RetentionSetting } from '../settings/retention-setting.tsx';
import { CHANNEL_PERMISSION_LABELS } from './permission-texts.ts';
import { kindOf, PRIVACIES, type Privacy, privacyOf, privacyParameters } from './privacy.ts';

type Change = Omit<UpdateChannelParameters, 'stream_id'>;

interface ChannelProps {
  readonly channel: ChannelRecord;
}

/** What a section needs: how to change the channel, and why the user may not. */
function useChannel(channel: ChannelRecord) {
  const { model, connection } = useApp();
  return {
    model,
    update: (change: Change) => updateChannel(connection, { stream_id: channel.id, ...change }),
    refusal: (setting: ChannelSetting) => refusalText(model, model.permissions.channels.change(channel, setting)),
  };
}

/** What holds for everyone in the channel. */
export function GeneralTab({ channel }: ChannelProps): ReactNode {
  const { model } = useApp();
  const isAllowed = model.permissions.channels.administer(channel).allowed;
  const administrators = roleValue(model, SYSTEM_GROUPS.administrators);
  const reason = isAllowed
    ? undefined
    : onlyText(model, [administrators, channel.permissions.can_administer_channel_group]);
  return (
    <ReadOnly reason={reason}>
      <About channel={channel} />
      <Access channel={channel} />
      <Permissions channel={channel} />
      <Archiving channel={channel} />
    </ReadOnly>
  );
}

function About({ channel }: ChannelProps): ReactNode {
  const { model, update, refusal } = useChannel(channel);
  const { limits } = model.organization;
  const folders = model.channelFolders.all.filter(({ id, isArchived }) => !isArchived || id === channel.folderId);
  return (
    <FormSection title={t('About')}>
      <TextSetting
        label={t('Name')}
        value={channel.name}
        limit={limits.stream_name_length}
        keptAs={`name of channel ${channel.id}`}
        isRequired
        refusal={refusal('name')}
        save={(new_name) => update({ new_name })}
      />
      <TextSetting
        label={t('Description')}
        value={channel.description}
        limit={limits.stream_description_length}
        keptAs={`description of channel ${channel.id}`}
        isMultiline
        refusal={refusal('description')}
        save={(description) => update({ description })}
      />
      {folders.length > 0 && (
        <SelectSetting
          label={t('Folder')}
          value={String(channel.folderId ?? 'none')}
          options={[
            { key: 'none', label: t('No folder') },
            ...folders.map(({ id, name }) => ({ key: String(id), label: name })),
          ]}
          refusal={refusal('folder_id')}
          save={(key) => update({ folder_id: key === 'none' ? null : Number(key) })}
        />
      )}
    </FormSection>
  );
}

function Access({ channel }: ChannelProps): ReactNode {
  const { model, update, refusal } = useChannel(channel);
  const { organization, permissions } = model;
  const current = privacyOf(channel);
  const privacies = (Object.keys(PRIVACIES) as Privacy[]).filter(
    (one) => one === current || permissions.channels.create(kindOf(one)).allowed,
  );
  const policies: readonly { key: TopicsPolicy; label: string }[] = [
    { key: 'inherit', label: t('As in the organization') },
    { key: 'allow_empty_topic', label: t('Topics are optional') },
    { key: 'disable_empty_topic', label: t('Each message needs a topic') },
    { key: 'empty_topic_only', label: t('No topics') },
  ];
  return (
    <FormSection title={t('Access')}>
      <SelectSetting
        label={t('Who can read')}
        description={t(PRIVACIES[current].description)}
        value={current}
        options={privacies.map((key) => ({ key, label: t(PRIVACIES[key].label) }))}
        refusal={refusal('privacy')}
        save={(key) => {
          const { isPrivate, ...access } = privacyParameters(key);
          return update({ is_private: isPrivate, ...access });
        }}
      />
      <SelectSetting
        label={t('Topics')}
        value={channel.topicsPolicy}
        options={policies}
        refusal={refusal('topics_policy')}
        save={(topics_policy) => update({ topics_policy })}
      />
      <RetentionSetting
        value={retentionOf(channel.retentionDays)}
        canInherit
        refusal={refusal('message_retention_days')}
        save={(message_retention_days) => update({ message_retention_days })}
      />
      {!channel.isPrivate && (
        <SwitchSetting
          label={t('New users join it automatically')}
          value={organization.defaultChannelIds.has(channel.id)}
          refusal={refusal('default')}
          save={(is_default_stream) => update({ is_default_stream })}
        />
      )}
    </FormSection>
  );
}

function retentionOf(days: number | null): Retention {
  if (days === null) return 'realm_default';
  return days === -1 ? 'unlimited' : days;
}

function Permissions({ channel }: ChannelProps): ReactNode {
  const { model, update, refusal } = useChannel(channel);
  const rules = model.organization.server.supported_permission_settings?.stream;
  return (
    <FormSection title={t('Permissions')}>
      {CHANNEL_PERMISSION_LABELS.map(([name, label]) => (
        <GroupSetting
          key={name}
          label={t(label)}
          value={channel.permissions[name]}
          rule={rules?.[name]}
          refusal={refusal(name)}
          save={(change) => update({ [name]: change })}
        />
      ))}
    </FormSection>
  );
}

function Archiving({ channel }: ChannelProps): ReactNode {
  const { connection } = useApp();
  const { update, refusal } = useChannel(channel);
  if (refusal('archived') !== undefined) return null;
  const { id, name, isArchived } = channel;
  return (
    <FormSection title={isArchived ? t('Bring it back') : t('Archive')}>
      <div>
        {isArchived ? (
          <ConfirmButton
            icon={UndoIcon}
            label={t('Unarchive channel')}
            title={t('Unarchive {channel}?', { channel: name })}
            isDanger={false}
            run={() => update({ is_archived: false })}
          >
            {t('People can write in it again.')}
          </ConfirmButton>
        ) : (
          <ConfirmButton
            icon={ArchiveIcon}
            label={t('Archive channel')}
            title={t('Archive {channel}?', { channel: name })}
            run={() => archiveChannel(connection, { stream_id: id })}
          >
            {t('Nobody can write in it any more. Its messages stay, and you can bring it back.')}
          </ConfirmButton>
        )}
      </div>
    </FormSection>
  );
}
