import { deactivateUser, reactivateUser, updateUser } from '@heddle/client/calls/operations.ts';
import type { Role } from '@heddle/client/calls/types.ts';
import type { UserRecord } from '@heddle/client/model/user-record.ts';
import { type ReactNode, useMemo, useState } from 'react';
import { matcherOf } from '../../conversations/text-filter.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { InviteIcon } from '../../design/icons.ts';
import { SearchField } from '../../design/search-field.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { VirtualList } from '../../design/virtual-list.tsx';
import { addressOf, roleName } from '../../people/facts.ts';
import { PersonLink } from '../../people/person-link.tsx';
import { useApp } from '../../shell/app.tsx';
import { t } from '../../shell/i18n.ts';
import { useChanges, useChangesOf } from '../../shell/use-changes.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { SelectSetting, TextSetting } from '../controls.tsx';
import { ROLE_NAMES } from '../invite/roles.ts';
import { refusalText } from '../reasons.ts';
import styles from '../settings.module.css';

type Filter = 'active' | 'bots' | 'deactivated';

/** The height of a row in pixels. */
const ROW_PX = 56;

/** Everybody in the organization, with a search. */
export function MembersPage(): ReactNode {
  const { model, navigation } = useApp();
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<Filter>('active');
  const [editedId, setEditedId] = useState<number>();
  useChanges(model.users.changes);
  useChanges(model.permissions.changes);
  const version = model.users.changes.read();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the records change in place.
  const users = useMemo(() => listed(model.users.all, filter, text), [model, version, filter, text]);
  return (
    <>
      <div className={styles.bar}>
        <SearchField label={t('Filter by name or address')} value={text} onChange={setText} />
        <Segmented
          label={t('Which users')}
          options={[
            { key: 'active', label: t('People') },
            { key: 'bots', label: t('Bots') },
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
        className={styles.tallRows ?? ''}
        label={t('Users')}
        kind="grid"
        count={users.length}
        keyOf={(index) => users[index]?.id ?? index}
        rowHeight={ROW_PX}
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
      if (user.isSystemBot) return false;
      if (filter === 'deactivated' ? user.isActive : !user.isActive || user.isBot !== (filter === 'bots')) return false;
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
        <div className={styles.quiet}>{[roleName(user), addressOf(user)].filter(Boolean).join(' · ')}</div>
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

interface MemberDialogProps {
  readonly userId: number;
  readonly onClose: () => void;
}

/** Name and role of a user, and whether the account is active. */
function MemberDialog({ userId, onClose }: MemberDialogProps): ReactNode {
  const { model, connection } = useApp();
  const { permissions } = model;
  useChangesOf(model.users.changesOf, userId);
  useChanges(permissions.changes);
  const user = model.users.get(userId);
  if (user === undefined) return null;
  const { name } = user;
  const roles = ROLE_NAMES.filter(([role]) => role === user.role || permissions.giveRole(user, role).allowed);
  const refusal = refusalText(model, permissions.deactivateUser(user));
  return (
    <Dialog title={name} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <TextSetting
        label={t('Name')}
        value={name}
        isRequired
        refusal={refusalText(model, permissions.manageUser(user))}
        save={(full_name) => updateUser(connection, { user_id: userId, full_name })}
      />
      {user.isActive && (
        <SelectSetting
          label={t('Role')}
          value={String(user.role)}
          options={roles.map(([role, label]) => ({ key: String(role), label: t(label) }))}
          refusal={roles.length < 2 ? refusalText(model, permissions.giveRole(user, user.role)) : undefined}
          save={(key) => updateUser(connection, { user_id: userId, role: Number(key) as Role })}
        />
      )}
      {refusal !== undefined && <p className={styles.quiet}>{refusal}</p>}
      <div className={styles.bar}>
        {user.isActive ? (
          <ConfirmButton
            label={t('Deactivate')}
            title={t('Deactivate {name}?', { name })}
            kind="danger"
            isDisabled={refusal !== undefined || userId === model.ownId}
            run={() => deactivateUser(connection, { user_id: userId })}
          >
            {t('They are logged out at once and cannot log in. Their messages stay, and you can reactivate them.')}
          </ConfirmButton>
        ) : (
          <ConfirmButton
            label={t('Reactivate')}
            title={t('Reactivate {name}?', { name })}
            isDanger={false}
            run={() => reactivateUser(connection, { user_id: userId })}
          >
            {t('They can log in again, with the role and the channels of before.')}
          </ConfirmButton>
        )}
      </div>
    </Dialog>
  );
}
