import { deactivateUser, reactivateUser, updateUser } from '@heddle/client/calls/operations.ts';
import type { Role } from '@heddle/client/calls/types.ts';
import type { UserRecord } from '@heddle/client/model/people/user-record.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { Dialog } from '../../design/dialog.tsx';
import { FormSection } from '../../design/form.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { SelectSetting, TextSetting } from '../controls.tsx';
import { ROLE_NAMES } from '../invite/roles.ts';
import { ProfileValueField } from '../profile-value-field.tsx';
import { refusalText } from '../reasons.ts';
import styles from '../settings.module.css';

interface MemberDialogProps {
  readonly userId: number;
  readonly onClose: () => void;
}

/** What administrators can change about a person. */
export function MemberDialog({ userId, onClose }: MemberDialogProps): ReactNode {
  const { model, connection } = useApp();
  const { permissions } = model;
  useChangesOf(model.users.changesOf, userId);
  useChanges(permissions.changes);
  useChanges(model.profileFields.changes);
  const user = model.users.get(userId);
  if (user === undefined) return null;
  const refusal = refusalText(model, permissions.manageUser(user));
  return (
    <Dialog title={user.name} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <TextSetting
        label={t('Name')}
        value={user.name}
        isRequired
        refusal={refusal}
        save={(full_name) => updateUser(connection, { user_id: userId, full_name })}
      />
      {user.deliveryEmail !== null && <Address user={user} address={user.deliveryEmail} />}
      {user.isActive && <UserRole user={user} />}
      <ProfileValues user={user} refusal={refusal} />
      <Activity user={user} />
    </Dialog>
  );
}

interface UserProps {
  readonly user: UserRecord;
}

/** Owners can change addresses if the operator of the server lets them. Only the server knows that. */
function Address({ user, address }: UserProps & { readonly address: string }): ReactNode {
  const { model, connection } = useApp();
  return (
    <TextSetting
      label={t('Email address')}
      value={address}
      isRequired
      refusal={model.account.isOwner ? undefined : t('Only owners can change this.')}
      {...(model.account.isOwner && {
        description: t('A change needs the permission of the operator of the server.'),
      })}
      save={(new_email) => updateUser(connection, { user_id: user.id, new_email })}
    />
  );
}

function UserRole({ user }: UserProps): ReactNode {
  const { model, connection } = useApp();
  const { permissions } = model;
  const roles = ROLE_NAMES.filter(([role]) => role === user.role || permissions.giveRole(user, role).allowed);
  return (
    <SelectSetting
      label={t('Role')}
      value={String(user.role)}
      options={roles.map(([role, label]) => ({ key: String(role), label: t(label) }))}
      refusal={roles.length < 2 ? refusalText(model, permissions.giveRole(user, user.role)) : undefined}
      save={(key) => updateUser(connection, { user_id: user.id, role: Number(key) as Role })}
    />
  );
}

function ProfileValues({ user, refusal }: UserProps & { readonly refusal: string | undefined }): ReactNode {
  const { model, connection } = useApp();
  const { all } = model.profileFields;
  if (all.length === 0 || !user.isActive) return null;
  return (
    <FormSection title={t('Profile')}>
      {all.map((field) => (
        <ProfileValueField
          key={field.id}
          field={field}
          value={user.profileData[field.id]?.value ?? ''}
          refusal={refusal}
          save={(value) => updateUser(connection, { user_id: user.id, profile_data: [{ id: field.id, value }] })}
        />
      ))}
    </FormSection>
  );
}

function Activity({ user }: UserProps): ReactNode {
  const { model, connection } = useApp();
  const { name } = user;
  const refusal = refusalText(model, model.permissions.deactivateUser(user));
  return (
    <>
      {refusal !== undefined && <p className={styles.quiet}>{refusal}</p>}
      <div className={styles.bar}>
        {user.isActive ? (
          <ConfirmButton
            label={t('Deactivate')}
            title={t('Deactivate {name}?', { name })}
            kind="danger"
            isDisabled={refusal !== undefined || user.id === model.ownId}
            run={() => deactivateUser(connection, { user_id: user.id })}
          >
            {t('They are logged out at once and cannot log in. Their messages stay, and you can reactivate them.')}
          </ConfirmButton>
        ) : (
          <ConfirmButton
            label={t('Reactivate')}
            title={t('Reactivate {name}?', { name })}
            isDanger={false}
            run={() => reactivateUser(connection, { user_id: user.id })}
          >
            {t('They can log in again, with the role and the channels of before.')}
          </ConfirmButton>
        )}
      </div>
    </>
  );
}
