/** Controls that save themselves, say so, and return to the server's value if it refuses. */
import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { useKept } from '../base/use-kept.ts';
import { Button } from '../design/button.tsx';
import { Form } from '../design/form.tsx';
import type { Option } from '../design/list-box.tsx';
import { Select } from '../design/select.tsx';
import { Switch } from '../design/switch.tsx';
import { TextArea, TextField } from '../design/text-field.tsx';
import { ReadOnlyValue } from './read-only.tsx';
import { SaveNote } from './save-note.tsx';
import { useAction, useSaved } from './saving.ts';
import styles from './settings.module.css';

interface Common {
  readonly label: string;
  readonly description?: string | undefined;
  /** Why the user may not change it. Then its value is shown as text. */
  readonly refusal?: string | undefined;
}

interface SwitchSettingProps extends Common {
  readonly value: boolean;
  readonly save: (value: boolean) => Promise<unknown>;
}

export function SwitchSetting({ label, description, refusal, value, save }: SwitchSettingProps): ReactNode {
  const saved = useSaved(value, save);
  if (refusal !== undefined) {
    return (
      <ReadOnlyValue label={label} description={description} refusal={refusal}>
        {value ? t('On') : t('Off')}
      </ReadOnlyValue>
    );
  }
  return (
    <div className={styles.setting}>
      <Switch isSelected={saved.value} onChange={saved.change} description={description}>
        {label}
      </Switch>
      <SaveNote action={saved.action} />
    </div>
  );
}

interface SelectSettingProps<Key extends string> extends Common {
  readonly value: Key;
  readonly options: readonly Option<Key>[];
  readonly save: (value: Key) => Promise<unknown>;
}

export function SelectSetting<Key extends string>(props: SelectSettingProps<Key>): ReactNode {
  const { label, description, refusal, value, options, save } = props;
  const saved = useSaved(value, save);
  if (refusal !== undefined) {
    return (
      <ReadOnlyValue label={label} description={description} refusal={refusal}>
        {options.find(({ key }) => key === value)?.label ?? value}
      </ReadOnlyValue>
    );
  }
  return (
    <div className={styles.setting}>
      <Select
        label={label}
        options={options}
        value={saved.value}
        onChange={saved.change}
        {...(description !== undefined && { description })}
      />
      <SaveNote action={saved.action} />
    </div>
  );
}

interface TextSettingProps extends Common {
  readonly value: string;
  readonly save: (value: string) => Promise<unknown>;
  readonly limit?: number;
  readonly isMultiline?: boolean;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly type?: 'text' | 'url' | 'number' | 'date';
  /** Keeps the unsaved text under this key while the user is elsewhere. */
  readonly keptAs?: string;
}

/** A text, with buttons while it differs from what is saved. */
export function TextSetting(props: TextSettingProps): ReactNode {
  const { label, description, refusal, value, save, limit, isMultiline, isRequired = false, placeholder, type } = props;
  const [draft, setDraft, endDraft] = useKept(props.keptAs, undefined);
  const action = useAction();
  const isChanged = draft !== undefined && draft !== value;
  const isTooLong = limit !== undefined && [...(draft ?? '')].length > limit;
  const isPossible = isChanged && !isTooLong && !(isRequired && draft.trim() === '');
  const submit = async () => {
    if (!isPossible || !(await action.run(() => save(draft.trim())))) return;
    // The user can have typed more meanwhile.
    endDraft(draft);
  };
  if (refusal !== undefined) {
    return (
      <ReadOnlyValue label={label} description={description} refusal={refusal}>
        {value === '' ? t('None') : value}
      </ReadOnlyValue>
    );
  }
  const field = {
    label,
    value: draft ?? value,
    onChange: setDraft,
    isRequired,
    ...(limit !== undefined && { limit }),
    ...(description !== undefined && { description }),
    ...(placeholder !== undefined && { placeholder }),
  };
  return (
    <div className={styles.setting}>
      <Form onSubmit={submit}>
        {isMultiline ? <TextArea {...field} /> : <TextField {...field} {...(type && { type })} />}
        {isChanged && (
          <div className={styles.draftActions}>
            <Button size="small" onPress={() => endDraft()}>
              {t('Cancel')}
            </Button>
            <Button size="small" kind="primary" type="submit" isDisabled={!isPossible} isPending={action.isPending}>
              {t('Save')}
            </Button>
          </div>
        )}
      </Form>
      <SaveNote action={action} />
    </div>
  );
}
