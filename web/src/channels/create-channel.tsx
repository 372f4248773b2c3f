import { createChannel } from '@heddle/client/calls/operations.ts';
import type { GroupSettingValue } from '@heddle/client/calls/types.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { SYSTEM_GROUPS } from '@heddle/client/model/people/roles.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useChanges } from '../base/use-changes.ts';
import { useKept } from '../base/use-kept.ts';
import { composeStore } from '../compose/compose-store.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { Checkbox } from '../design/checkbox.tsx';
import { Form, FormActions, FormSection } from '../design/form.tsx';
import { RadioGroup } from '../design/radio-group.tsx';
import { Select } from '../design/select.tsx';
import { TextArea, TextField } from '../design/text-field.tsx';
import { GroupSettingPicker } from '../settings/group-setting-picker.tsx';
import { Page } from '../settings/page.tsx';
import { PeoplePicker } from '../settings/pickers.tsx';
import { refusalText } from '../settings/reasons.ts';
import { useAction } from '../settings/saving.ts';
import { routeOfChannel } from '../shown/names.ts';
import { kindOf, PRIVACIES, type Privacy, privacyParameters } from './privacy.ts';

const ALL_PRIVACIES = Object.keys(PRIVACIES) as Privacy[];

/** The form of a new channel. */
export function CreateChannel(): ReactNode {
  const { model, connection, navigation } = useApp();
  const { permissions, organization } = model;
  useChanges(permissions.changes);
  const possible = ALL_PRIVACIES.filter((one) => permissions.channels.create(kindOf(one)).allowed);
  const [name, setName, endName] = useKept('new channel: name', '');
  const [description, setDescription, endDescription] = useKept('new channel: description', '');
  const end = () => {
    endName();
    endDescription();
  };
  const [privacy, setPrivacy] = useState<Privacy>(possible[0] ?? 'public');
  const [folder, setFolder] = useState('none');
  const [members, setMembers] = useState<readonly number[]>([]);
  const [posting, setPosting] = useState<GroupSettingValue | undefined>(
    model.groups.byName(SYSTEM_GROUPS.everyone)?.id,
  );
  const [isAnnounced, setAnnounced] = useState(true);
  const [isDefault, setDefault] = useState(false);
  const action = useAction();
  const { settings, limits } = organization;
  const isTaken = model.channels.byName(name.trim()) !== undefined;
  const canAnnounce = settings.new_stream_announcements_stream_id !== -1 && kindOf(privacy) !== 'private';
  const isComplete = name.trim() !== '' && !isTaken && possible.includes(privacy);
  const submit = async () => {
    if (!isComplete) return;
    const { isPrivate, ...access } = privacyParameters(privacy);
    await action.run(async () => {
      const { id } = await createChannel(connection, {
        name: name.trim(),
        description: description.trim(),
        subscribers: [model.ownId, ...members.filter((userId) => userId !== model.ownId)],
        invite_only: isPrivate,
        ...access,
        announce: canAnnounce && isAnnounced,
        ...(isDefault && !isPrivate && { is_default_stream: true }),
        ...(folder !== 'none' && { folder_id: Number(folder) }),
        ...(posting !== undefined && { can_send_message_group: posting }),
      });
      await known(model, id);
      end();
      navigation.go(routeOfChannel(id));
      composeStore.open({ place: undefined, kind: 'topic', channelId: id, isOffered: true });
    });
  };
  const { allowed: canSetDefault } = permissions.channels.changeNew('default');
  return (
    <Page title={t('Create channel')} back={{ view: 'channels', tab: 'available' }}>
      <Form onSubmit={submit}>
        <FormSection title={t('New channel')}>
          <TextField
            label={t('Name')}
            prefix="#"
            value={name}
            onChange={setName}
            limit={limits.stream_name_length}
            isRequired
            autoFocus
            {...(isTaken && { error: t('A channel with this name exists.') })}
          />
          <TextArea
            label={t('Description')}
            value={description}
            onChange={setDescription}
            limit={limits.stream_description_length}
            rows={2}
          />
          <FolderSelect value={folder} onChange={setFolder} />
        </FormSection>
        <FormSection title={t('Access')}>
          <RadioGroup
            label={t('Who can read')}
            options={ALL_PRIVACIES.map((value) => {
              const refusal = refusalText(model, permissions.channels.create(kindOf(value)));
              const texts = PRIVACIES[value];
              return {
                value,
                label: t(texts.label),
                description: refusal === undefined ? t(texts.description) : `${t(texts.description)} ${refusal}`,
                isDisabled: refusal !== undefined,
              };
            })}
            value={privacy}
            onChange={setPrivacy}
          />
          {posting !== undefined && (
            <GroupSettingPicker
              label={t('Who can post')}
              value={posting}
              onChange={setPosting}
              rule={organization.server.supported_permission_settings?.stream.can_send_message_group}
            />
          )}
          <PeoplePicker
            label={t('Members')}
            description={t('You are a member. Choose people, or groups to add all their members.')}
            value={members}
            onChange={setMembers}
            accepts={({ id }) => id !== model.ownId}
          />
          {canAnnounce && (
            <Checkbox isSelected={isAnnounced} onChange={setAnnounced}>
              {t('Announce the new channel')}
            </Checkbox>
          )}
          {canSetDefault && kindOf(privacy) !== 'private' && (
            <Checkbox isSelected={isDefault} onChange={setDefault}>
              {t('New users join it automatically')}
            </Checkbox>
          )}
        </FormSection>
        {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
        <FormActions>
          <Button
            onPress={() => {
              end();
              navigation.go({ view: 'channels', tab: 'available' });
            }}
          >
            {t('Cancel')}
          </Button>
          <Button kind="primary" type="submit" isDisabled={!isComplete} isPending={action.isPending}>
            {t('Create channel')}
          </Button>
        </FormActions>
      </Form>
    </Page>
  );
}

/** How long the form waits for the event about the new channel. */
const PATIENCE_MS = 3_000;

/** Waits until the model knows the channel, so that its address contains its name. */
async function known({ channels }: Model, channelId: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const patience = setTimeout(finish, PATIENCE_MS);
    const unsubscribe = channels.changesOf.of(channelId).subscribe(finish);
    function finish() {
      clearTimeout(patience);
      unsubscribe();
      resolve();
    }
    if (channels.get(channelId) !== undefined) finish();
  });
}

interface FolderSelectProps {
  readonly value: string;
  readonly onChange: (folder: string) => void;
}

function FolderSelect({ value, onChange }: FolderSelectProps): ReactNode {
  const { model } = useApp();
  useChanges(model.channelFolders.changes);
  const folders = model.channelFolders.all.filter(({ isArchived }) => !isArchived);
  if (folders.length === 0) return null;
  return (
    <Select
      label={t('Folder')}
      options={[
        { key: 'none', label: t('No folder') },
        ...folders.map(({ id, name }) => ({ key: String(id), label: name })),
      ]}
      value={value}
      onChange={onChange}
    />
  );
}
