import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useEntryState, useListPlace } from '../../base/list-place.ts';
import { matcherOf } from '../../base/text-filter.ts';
import { useChanges } from '../../base/use-changes.ts';
import { useDerived } from '../../base/use-derived.ts';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/classes.ts';
import { InviteIcon } from '../../design/icons.ts';
import { SearchField } from '../../design/search-field.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { VirtualList } from '../../design/virtual-list.tsx';
import { PersonLink } from '../../people/person-link.tsx';
import { addressOf, roleName } from '../../people/user-texts.ts';
import styles from '../settings.module.css';
import { MemberDialog } from './member-dialog.tsx';

type Filter = 'active' | 'deactivated';

/** The height of a row in pixels. */
const ROW_HEIGHT_PIXELS = 56;

interface MembersPageProps {
  /** `deactivated`, or the id of the person whose dialog is open at first. */
  readonly tab?: string | undefined;
}

/** The people of the organization, with a search. */
export function MembersPage({ tab = '' }: MembersPageProps): ReactNode {
  const { model, navigation } = useApp();
  const place = useListPlace('users');
  const [text, setText] = useEntryState('text', '');
  const [filter, setFilter] = useEntryState<Filter>('filter', tab === 'deactivated' ? tab : 'active');
  const [editedId, setEditedId] = useState(/^\d+$/.test(tab) ? Number(tab) : undefined);
  useChanges(model.permissions.changes);
  const users = useDerived([model.users.changes], () => listed(model.users.all, filter, text), [model, filter, text]);
  return (
    <>
      <div className={styles.bar}>
        <SearchField label={t('Filter by name or address')} value={text} onChange={setText} />
        <Segmented
          label={t('Which users')}
          options={[
            { key: 'active', label: t('Active') },
            { key: 'deactivated', label: t('Deactivated') },
          ]}
          value={filter}
          onChange={setFilter}
        />
        {model.permissions.invite('mail').allowed && (
          <Button icon={InviteIcon} onPress={() => navigation.go({ view: 'invite' })}>
            {t('Invite people')}
          </Button>
        )}
      </div>
      <VirtualList
        place={place}
        className={styles.tallRows ?? ''}
        label={t('Users')}
        kind="grid"
        count={users.length}
        keyOf={(index) => users[index]?.id ?? index}
        rowHeight={ROW_HEIGHT_PIXELS}
        renderRow={({ index }) => <Row user={users[index]} onEdit={setEditedId} />}
        empty={<p className={styles.quiet}>{t('Nobody')}</p>}
      />
      {editedId !== undefined && <MemberDialog userId={editedId} onClose={() => setEditedId(undefined)} />}
    </>
  );
}

function listed(all: ReadonlyMap<number, UserRecord>, filter: Filter, text: string): UserRecord[] {
  const matches = matcherOf(text);
  const address = text.trim().toLowerCase();
  const collator = new Intl.Collator();
  return [...all.values()]
    .filter((user) => {
      if (user.isBot || user.isActive !== (filter === 'active')) return false;
      return matches(user.name) || (user.deliveryEmail?.toLowerCase().includes(address) ?? false);
    })
    .sort((a, b) => collator.compare(a.name, b.name));
}

interface RowProps {
  readonly user: UserRecord | undefined;
  readonly onEdit: (userId: number) => void;
}

function Row({ user, onEdit }: RowProps): ReactNode {
  const { model } = useApp();
  if (user === undefined) return null;
  return (
    <div className={styles.row}>
      <div className={styles.rowTexts}>
        <PersonLink userId={user.id} />
        <div className={classes(styles.quiet, styles.underName)}>
          {[roleName(user), addressOf(user)].filter(Boolean).join(' · ')}
        </div>
      </div>
      {model.permissions.manageUser(user).allowed && (
        <Button
          size="small"
          kind="quiet"
          aria-label={t('Manage {name}', { name: user.name })}
          onPress={() => onEdit(user.id)}
        >
          {t('Manage')}
        </Button>
      )}
    </div>
  );
}
