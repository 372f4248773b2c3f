import { deleteProfileData, updateProfileData } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges, useChangesOf } from '../../base/use-changes.ts';
import { FormSection } from '../../design/form.tsx';
import { ProfileValueField } from '../profile-value-field.tsx';

/** The fields that the organization adds to profiles. */
export function ProfileFields(): ReactNode {
  const { model, connection } = useApp();
  useChanges(model.profileFields.changes);
  useChangesOf(model.users.changesOf, model.ownId);
  const { all } = model.profileFields;
  if (all.length === 0) return null;
  const values = model.users.get(model.ownId)?.profileData;
  const save = (id: number, value: string | readonly number[]) =>
    value.length === 0
      ? deleteProfileData(connection, { data: [id] })
      : updateProfileData(connection, { data: [{ id, value }] });
  return (
    <FormSection title={t('More about you')}>
      {all.map((field) => {
        const value = values?.[field.id]?.value ?? '';
        const isMissing = field.isRequired && field.isEditableByUser && value === '';
        return (
          <ProfileValueField
            key={field.id}
            field={field}
            value={value}
            description={isMissing ? t('Your organization asks you to fill this in.') : undefined}
            refusal={field.isEditableByUser ? undefined : t('Only administrators can change this.')}
            save={(next) => save(field.id, next)}
          />
        );
      })}
    </FormSection>
  );
}
