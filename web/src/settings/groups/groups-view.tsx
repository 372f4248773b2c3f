import type { GroupRecord } from '@heddle/client/model/people/groups.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Button } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { AddIcon, GroupIcon } from '../../design/icons.ts';
import { SearchField } from '../../design/search-field.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { groupName } from '../../shown/group-name.ts';
import { RouteLink } from '../../shown/route-link.tsx';
import { Page } from '../page.tsx';
import styles from '../settings.module.css';
import { CreateGroup } from './create-group.tsx';

interface GroupsViewProps {
  readonly tab: 'your' | 'all' | 'new';
}

/** Lists user groups, or creates one. */
export function GroupsView({ tab }: GroupsViewProps): ReactNode {
  return tab === 'new' ? <CreateGroup /> : <GroupList isOwn={tab === 'your'} />;
}

function GroupList({ isOwn }: { readonly isOwn: boolean }): ReactNode {
  const { model, navigation } = useApp();
  const [text, setText] = useState('');
  useChanges(model.groups.changes);
  useChanges(model.permissions.changes);
  const matches = matcherOf(text);
  const groups = model.groups.all
    .filter((group) => !group.isSystem && matches(group.name))
    .filter(({ id }) => !isOwn || model.groups.isMember(id, model.ownId))
    .sort((a, b) => Number(a.isDeactivated) - Number(b.isDeactivated) || a.name.localeCompare(b.name));
  const create = () => navigation.go({ view: 'groups', tab: 'new' });
  const canCreate = model.permissions.groups.create().allowed;
  return (
    <Page
      title={t('User groups')}
      icon={GroupIcon}
      actions={
        canCreate && (
          <Button kind="primary" size="small" icon={AddIcon} onPress={create}>
            {t('Create group')}
          </Button>
        )
      }
    >
      <div className={styles.bar}>
        <SearchField label={t('Filter groups')} value={text} onChange={setText} />
        <Segmented
          label={t('Which groups')}
          options={[
            { key: 'your', label: t('Your groups') },
            { key: 'all', label: t('All groups') },
          ]}
          value={isOwn ? 'your' : 'all'}
          onChange={(key) => navigation.go({ view: 'groups', tab: key })}
        />
      </div>
      {groups.length === 0 ? (
        <EmptyState icon={GroupIcon} title={t('No groups')}>
          {t('A group lets you mention several people at once, and give them permissions.')}
        </EmptyState>
      ) : (
        <ul className={styles.list} aria-label={t('User groups')}>
          {groups.map((group) => (
            <Row key={group.id} group={group} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function Row({ group }: { readonly group: GroupRecord }): ReactNode {
  const { model } = useApp();
  const count = model.groups.membersOf(group.id).size;
  const facts = [
    group.isDeactivated ? t('Deactivated') : t('{count, plural, one {# member} other {# members}}', { count }),
    group.description,
  ];
  return (
    <li className={styles.item}>
      <GroupIcon aria-hidden="true" />
      <div className={styles.itemTexts}>
        <RouteLink to={{ view: 'group', groupId: group.id }}>{groupName(group)}</RouteLink>
        <div className={styles.quiet}>{facts.filter(Boolean).join(' · ')}</div>
      </div>
    </li>
  );
}
