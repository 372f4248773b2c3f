import { deactivateUserGroup, updateUserGroup, updateUserGroupMembers } from '@heddle/client/calls/operations.ts';
import type { Model } from '@heddle/client/model/model.ts';
import type { GroupRecord } from '@heddle/client/model/people/groups.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { FormSection } from '../../design/form.tsx';
import { GroupIcon } from '../../design/icons.ts';
import { groupName } from '../../shown/group-name.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { TextSetting } from '../controls.tsx';
import { GroupSetting } from '../group-setting-picker.tsx';
import { Page } from '../page.tsx';
import { ReadOnly } from '../read-only.tsx';
import { onlyText, refusalText } from '../reasons.ts';
import { useAction } from '../saving.ts';
import { GroupMembers } from './group-members.tsx';
import {
  GROUP_PERMISSION_LABELS,
  MAX_GROUP_DESCRIPTION_CHARACTERS,
  MAX_GROUP_NAME_CHARACTERS,
} from './permission-texts.ts';

/** A group: its name, members, subgroups and permissions. */
export function GroupView({ groupId }: { readonly groupId: number }): ReactNode {
  const { model } = useApp();
  useChangesOf(model.groups.changesOf, groupId);
  useChanges(model.permissions.changes);
  const group = model.groups.get(groupId);
  if (group === undefined) {
    return (
      <Page title={t('User groups')} back={{ view: 'groups', tab: 'all' }}>
        <EmptyState icon={GroupIcon} title={t('This group is not there')}>
          {t('It does not exist, or you cannot see it.')}
        </EmptyState>
      </Page>
    );
  }
  const { groups } = model.permissions;
  const reason = groups.edit(group).allowed ? undefined : reasonOf(model, group);
  const canChangeMembers = groups.addMembers(group).allowed || groups.removeMembers(group).allowed;
  const about = <About group={group} />;
  const members = <GroupMembers group={group} />;
  const rest = !group.isSystem && (
    <>
      <Permissions group={group} />
      <Deactivation group={group} />
    </>
  );
  return (
    <Page
      key={groupId}
      title={groupName(group)}
      back={{ view: 'groups', tab: 'all' }}
      actions={<OwnMembership group={group} />}
    >
      {group.isDeactivated && <Banner kind="warning">{t('This group is deactivated.')}</Banner>}
      {canChangeMembers ? (
        // The sentence is not about the members.
        <>
          <ReadOnly reason={reason}>{about}</ReadOnly>
          {members}
          <ReadOnly reason={reason}>{rest}</ReadOnly>
        </>
      ) : (
        <ReadOnly reason={reason}>
          {about}
          {members}
          {rest}
        </ReadOnly>
      )}
    </Page>
  );
}

function reasonOf(model: Model, group: GroupRecord): string {
  if (group.isSystem) return t('This group follows from roles. Nobody can change it.');
  const { can_manage_all_groups: ofAll } = model.organization.settings;
  return onlyText(model, [ofAll, group.permissions.can_manage_group]);
}

interface GroupProps {
  readonly group: GroupRecord;
}

/** Joins or leaves. A member through a subgroup can do neither here. */
function OwnMembership({ group }: GroupProps): ReactNode {
  const { model, connection } = useApp();
  const action = useAction();
  const { groups } = model.permissions;
  if (group.isSystem || group.isDeactivated) return null;
  const isMember = group.members.has(model.ownId);
  const { allowed } = isMember ? groups.leave(group) : groups.join(group);
  if (!allowed) return null;
  const change = isMember ? { delete: [model.ownId] } : { add: [model.ownId] };
  return (
    <Button
      size="small"
      isPending={action.isPending}
      onPress={() => void action.run(() => updateUserGroupMembers(connection, { user_group_id: group.id, ...change }))}
    >
      {isMember ? t('Leave group') : t('Join group')}
    </Button>
  );
}

function About({ group }: GroupProps): ReactNode {
  const { model, connection } = useApp();
  const refusal = refusalText(model, model.permissions.groups.edit(group));
  const update = (change: { name?: string; description?: string }) =>
    updateUserGroup(connection, { user_group_id: group.id, ...change });
  if (group.isSystem) return <p>{group.description}</p>;
  return (
    <FormSection title={t('About the group')}>
      <TextSetting
        label={t('Name')}
        value={group.name}
        limit={MAX_GROUP_NAME_CHARACTERS}
        isRequired
        refusal={refusal}
        save={(name) => update({ name })}
      />
      <TextSetting
        label={t('Description')}
        value={group.description}
        limit={MAX_GROUP_DESCRIPTION_CHARACTERS}
        isMultiline
        refusal={refusal}
        save={(description) => update({ description })}
      />
    </FormSection>
  );
}

function Permissions({ group }: GroupProps): ReactNode {
  const { model, connection } = useApp();
  const rules = model.organization.server.supported_permission_settings?.group;
  const refusal = refusalText(model, model.permissions.groups.edit(group));
  return (
    <FormSection title={t('Permissions')}>
      {GROUP_PERMISSION_LABELS.map(([name, label]) => (
        <GroupSetting
          key={name}
          label={t(label)}
          value={group.permissions[name]}
          rule={rules?.[name]}
          refusal={refusal}
          save={(change) => updateUserGroup(connection, { user_group_id: group.id, [name]: change })}
        />
      ))}
    </FormSection>
  );
}

function Deactivation({ group }: GroupProps): ReactNode {
  const { model, connection } = useApp();
  const { id, name, isDeactivated } = group;
  if (!model.permissions.groups.edit(group).allowed) return null;
  return (
    <FormSection title={isDeactivated ? t('Bring the group back') : t('Deactivate the group')}>
      <div>
        {isDeactivated ? (
          <ConfirmButton
            label={t('Reactivate group')}
            title={t('Reactivate {name}?', { name })}
            isDanger={false}
            run={() => updateUserGroup(connection, { user_group_id: id, deactivated: false })}
          >
            {t('People can mention it again.')}
          </ConfirmButton>
        ) : (
          <ConfirmButton
            label={t('Deactivate group')}
            title={t('Deactivate {name}?', { name })}
            kind="danger"
            run={() => deactivateUserGroup(connection, { user_group_id: id })}
          >
            {t('Nobody can mention it any more. You can bring it back.')}
          </ConfirmButton>
        )}
      </div>
    </FormSection>
  );
}
