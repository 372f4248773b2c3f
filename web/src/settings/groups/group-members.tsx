import { type UpdateUserGroupMembersParameters, updateUserGroupMembers } from '@heddle/client/calls/operations.ts';
import type { GroupRecord } from '@heddle/client/model/people/groups.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useKeyedChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { FormSection } from '../../design/form.tsx';
import { RouteLink } from '../../shown/route-link.tsx';
import { MemberList } from '../member-list.tsx';
import { type Parts, PartsPicker } from '../pickers.tsx';
import { Refusal } from '../read-only.tsx';
import { nameOfGroup, refusalText } from '../reasons.ts';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';

const NOBODY: Parts = { groups: [], people: [] };

/** The direct members and subgroups. Adds and removes them. */
export function GroupMembers({ group }: { readonly group: GroupRecord }): ReactNode {
  const { model, connection } = useApp();
  const { permissions, groups } = model;
  const [added, setAdded] = useState(NOBODY);
  const action = useAction();
  const changes = useKeyedChanges(groups.changesOf, group.id);
  const change = (parameters: Omit<UpdateUserGroupMembersParameters, 'user_group_id'>) =>
    action.run(() => updateUserGroupMembers(connection, { user_group_id: group.id, ...parameters }));
  const add = async () => {
    if (await change({ add: added.people, add_subgroups: added.groups })) setAdded(NOBODY);
  };
  const refusal = refusalText(model, permissions.groups.addMembers(group));
  const canRemove = permissions.groups.removeMembers(group).allowed;
  const canLeave = permissions.groups.leave(group).allowed;
  return (
    <FormSection title={t('Members')}>
      {!group.isDeactivated &&
        !group.isSystem &&
        (refusal !== undefined ? (
          <Refusal text={refusal} />
        ) : (
          <div className={styles.bar}>
            <PartsPicker
              label={t('Add people or groups')}
              value={added}
              onChange={setAdded}
              accepts={({ id }) => !group.members.has(id)}
              // A group cannot be a part of its own part.
              acceptsGroup={({ id }) => !group.subgroupIds.has(id) && !groups.contains(id, group.id)}
            />
            <Button
              kind="primary"
              isDisabled={added.people.length + added.groups.length === 0}
              isPending={action.isPending}
              onPress={() => void add()}
            >
              {t('Add')}
            </Button>
          </div>
        ))}
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      {group.subgroupIds.size > 0 && (
        <ul className={styles.list} aria-label={t('Groups whose members belong to it')}>
          {Array.from(group.subgroupIds, (id) => (
            <li key={id} className={styles.item}>
              <span className={styles.itemTexts}>
                <RouteLink to={{ view: 'group', groupId: id }}>{nameOfGroup(model, id)}</RouteLink>
              </span>
              {permissions.groups.removeSubgroups(group).allowed && (
                <Button
                  size="small"
                  kind="quiet"
                  aria-label={t('Remove {name}', { name: nameOfGroup(model, id) })}
                  onPress={() => void change({ delete_subgroups: [id] })}
                >
                  {t('Remove')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <MemberList
        label={t('Members of {group}', { group: nameOfGroup(model, group.id) })}
        userIds={group.members}
        changes={changes}
        canRemove={(userId) => (userId === model.ownId ? canLeave : canRemove)}
        onRemove={(userId) => void change({ delete: [userId] })}
      />
    </FormSection>
  );
}
