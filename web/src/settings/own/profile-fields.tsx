import { deleteProfileData, updateProfileData } from '@heddle/client/calls/operations.ts';
import { PROFILE_FIELD_TYPES, type ProfileFieldRecord } from '@heddle/client/model/profile-fields.ts';
import type { ReactNode } from 'react';
import { FormSection } from '../../design/form.tsx';
import { useApp } from '../../shell/app.tsx';
import { t } from '../../shell/i18n.ts';
import { useChanges, useChangesOf } from '../../shell/use-changes.ts';
import { SelectSetting, TextSetting } from '../controls.tsx';
import { PeoplePicker } from '../pickers.tsx';
import { SaveNote } from '../save-note.tsx';
import { useSaved } from '../saving.ts';
import styles from '../settings.module.css';

/** The fields that the organization adds to profiles. */
export function ProfileFields(): ReactNode {
  const { model } = useApp();
  useChanges(model.profileFields.changes);
  useChangesOf(model.users.changesOf, model.ownId);
  const { all } = model.profileFields;
  if (all.length === 0) return null;
  return (
    <FormSection title={t('More about you')}>
      {all.map((field) => (
        <Field key={field.id} field={field} />
      ))}
    </FormSection>
  );
}

function Field({ field }: { readonly field: ProfileFieldRecord }): ReactNode {
  const { model, connection } = useApp();
  const { id, name, type, hint, data } = field;
  const value = model.users.get(model.ownId)?.profileData[id]?.value ?? '';
  const save = (next: string) =>
    next === ''
      ? deleteProfileData(connection, { data: [id] })
      : updateProfileData(connection, { data: [{ id, value: next }] });
  const refusal = field.isEditableByUser ? undefined : t('Only administrators can change this.');
  const common = { label: name, refusal, value, ...(hint !== '' && { description: hint }) };
  switch (type) {
    case PROFILE_FIELD_TYPES.select:
      return (
        <SelectSetting
          {...common}
          value={value === '' ? 'none' : `option ${value}`}
          options={[
            { key: 'none', label: t('Not set') },
            ...optionsOf(data).map(([key, label]) => ({ key: `option ${key}`, label })),
          ]}
          save={(key) => save(key === 'none' ? '' : key.slice('option '.length))}
        />
      );
    case PROFILE_FIELD_TYPES.users:
      return <People field={field} value={value} refusal={refusal} />;
    case PROFILE_FIELD_TYPES.longText:
      return <TextSetting {...common} isMultiline save={save} />;
    case PROFILE_FIELD_TYPES.date:
      return <TextSetting {...common} type="date" save={save} />;
    case PROFILE_FIELD_TYPES.url:
      return <TextSetting {...common} type="url" save={save} />;
    default:
      return <TextSetting {...common} save={save} />;
  }
}

interface PeopleProps {
  readonly field: ProfileFieldRecord;
  /** A JSON list of ids. */
  readonly value: string;
  readonly refusal: string | undefined;
}

function People({ field: { id, name, hint }, value, refusal }: PeopleProps): ReactNode {
  const { connection } = useApp();
  const saved = useSaved(value, (text) => {
    const ids = idsOf(text);
    if (ids.length === 0) return deleteProfileData(connection, { data: [id] });
    return updateProfileData(connection, { data: [{ id, value: ids }] });
  });
  return (
    <div className={styles.setting}>
      <PeoplePicker
        label={name}
        description={[hint, refusal].filter(Boolean).join(' ') || undefined}
        value={idsOf(saved.value)}
        onChange={(ids) => saved.change(JSON.stringify(ids))}
        isDisabled={refusal !== undefined}
      />
      <SaveNote action={saved.action} />
    </div>
  );
}

function idsOf(text: string): readonly number[] {
  return text === '' ? [] : JSON.parse(text);
}

/** The options in their order: `{"0": {"text": "Ada", "order": "1"}}`. */
function optionsOf(data: Readonly<Record<string, unknown>>): [key: string, label: string][] {
  const entries = Object.entries(data) as [string, { readonly text?: string; readonly order?: string }][];
  return entries
    .toSorted(([, a], [, b]) => Number(a.order ?? 0) - Number(b.order ?? 0))
    .map(([key, { text }]) => [key, text ?? key]);
}
