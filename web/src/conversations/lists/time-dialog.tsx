import { type ReactNode, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { dateOfField, fieldValueOf } from '../../base/local-time.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/text-field.tsx';

export interface TimeDialogProps {
  title: string;
  /** Seconds since the epoch. */
  time: number;
  /** Saves the time, in seconds since the epoch. If it rejects, the dialog stays open and shows `failure`. */
  onSave: (time: number) => Promise<unknown>;
  /** What the dialog says if the time could not be saved. */
  failure: string;
  onClose: () => void;
}

/** Changes when something will happen. */
export default function TimeDialog({ title, time, onSave, failure, onClose }: TimeDialogProps): ReactNode {
  const [value, setValue] = useState(() => fieldValueOf(new Date(Math.max(time * 1000, Date.now() + 60_000))));
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<string>();
  const save = async () => {
    const chosen = dateOfField(value)?.getTime();
    if (chosen === undefined) return setError(t('Enter a date and a time.'));
    if (chosen <= Date.now()) return setError(t('This time has passed. Choose a later one.'));
    setSaving(true);
    try {
      await onSave(chosen / 1000);
      onClose();
    } catch {
      setSaving(false);
      setError(failure);
    }
  };
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      size="small"
      footer={
        <>
          <Button onPress={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" isPending={isSaving} onPress={() => void save()}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('Date and time')}
        type="datetime-local"
        value={value}
        onChange={setValue}
        error={error}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === 'Enter') void save();
          else event.continuePropagation();
        }}
      />
    </Dialog>
  );
}
