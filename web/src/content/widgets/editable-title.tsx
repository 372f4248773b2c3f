import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { Button } from '../../design/button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { EditIcon } from '../../design/icons.ts';
import { TextField } from '../../design/text-field.tsx';
import styles from './widgets.module.css';

interface Props {
  readonly id: string;
  readonly title: string;
  /** What stands there without a title. */
  readonly placeholder: string;
  /** The name of the button and the field. */
  readonly editLabel: string;
  /** Undefined if the user may not change it. */
  readonly onChange: ((title: string) => Promise<boolean>) | undefined;
}

/** The question of a poll or the title of a list. Its author can change it in place. */
export function EditableTitle({ id, title, placeholder, editLabel, onChange }: Props): ReactNode {
  const [draft, setDraft] = useState<string>();
  if (draft === undefined) {
    return (
      <div className={styles.head}>
        <strong id={id} className={title === '' ? styles.untitled : styles.title}>
          {title === '' ? placeholder : title}
        </strong>
        {onChange !== undefined && (
          <IconButton icon={EditIcon} label={editLabel} size="small" onPress={() => setDraft(title)} />
        )}
      </div>
    );
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const text = draft.trim();
    setDraft(undefined);
    if (text === '' || text === title || onChange === undefined) return;
    // The field gets the text back if the server refused it.
    if (!(await onChange(text))) setDraft(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    setDraft(undefined);
  };
  return (
    <form className={styles.form} onSubmit={submit} onKeyDown={onKeyDown}>
      <strong id={id} hidden>
        {title === '' ? placeholder : title}
      </strong>
      {/* The user has just asked for this field. */}
      <TextField label={editLabel} isLabelHidden value={draft} onChange={setDraft} autoFocus />
      <Button type="submit" kind="primary" isDisabled={draft.trim() === ''}>
        {t('Save')}
      </Button>
      <Button kind="quiet" onPress={() => setDraft(undefined)}>
        {t('Cancel')}
      </Button>
    </form>
  );
}
