import { PROFILE_FIELD_TYPES, type ProfileFieldRecord } from '@heddle/client/model/people/profile-fields.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatList } from '../base/i18n-formats.ts';
import { userName } from '../shown/names.ts';
import { SelectSetting, TextSetting } from './controls.tsx';
import { optionsOf } from './organization/profile-fields/field-form.ts';
import { PeoplePicker } from './pickers.tsx';
import { ReadOnlyValue } from './read-only.tsx';
import { SaveNote } from './save-note.tsx';
import { useSaved } from './saving.ts';
import styles from './settings.module.css';

interface ProfileValueFieldProps {
  readonly field: ProfileFieldRecord;
  /** Empty if there is none. People are a JSON list of ids. */
  readonly value: string;
  readonly description?: string | undefined;
  readonly refusal?: string | undefined;
  /** An empty text or list removes the value. */
  readonly save: (value: string | readonly number[]) => Promise<unknown>;
}

/** The control for a value of a custom profile field. */
export function ProfileValueField(props: ProfileValueFieldProps): ReactNode {
  const { field, value, description, refusal, save } = props;
  const { name, type, hint, data } = field;
  const texts = [hint, description].filter(Boolean).join(' ');
  const common = { label: name, refusal, value, save, ...(texts !== '' && { description: texts }) };
  switch (type) {
    case PROFILE_FIELD_TYPES.select:
      return (
        <SelectSetting
          {...common}
          value={value === '' ? 'none' : `option ${value}`}
          options={[
            { key: 'none', label: t('Not set') },
            ...optionsOf(data).map(({ key, text }) => ({ key: `option ${key}`, label: text })),
          ]}
          save={(key) => save(key === 'none' ? '' : key.slice('option '.length))}
        />
      );
    case PROFILE_FIELD_TYPES.users:
      return <People {...props} description={texts} />;
    case PROFILE_FIELD_TYPES.longText:
      return <TextSetting {...common} isMultiline />;
    case PROFILE_FIELD_TYPES.date:
      return <TextSetting {...common} type="date" />;
    case PROFILE_FIELD_TYPES.url:
      return <TextSetting {...common} type="url" />;
    default:
      return <TextSetting {...common} />;
  }
}

function People({ field, value, description, refusal, save }: ProfileValueFieldProps): ReactNode {
  const model = useModel();
  const saved = useSaved(value, (text) => save(idsOf(text)));
  if (refusal !== undefined) {
    return (
      <ReadOnlyValue label={field.name} description={description} refusal={refusal}>
        {formatList(idsOf(value).map((id) => userName(model, id))) || t('None')}
      </ReadOnlyValue>
    );
  }
  return (
    <div className={styles.setting}>
      <PeoplePicker
        label={field.name}
        description={description}
        value={idsOf(saved.value)}
        onChange={(ids) => saved.change(JSON.stringify(ids))}
        accepts={({ isBot }) => !isBot}
      />
      <SaveNote action={saved.action} />
    </div>
  );
}

function idsOf(text: string): readonly number[] {
  return text === '' ? [] : JSON.parse(text);
}
