import { type ReactNode, useRef } from 'react';
import { t } from '../base/i18n.ts';
import { Avatar } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { Refusal } from './read-only.tsx';
import { SaveNote } from './save-note.tsx';
import { useAction } from './saving.ts';
import styles from './settings.module.css';

interface ImageSettingProps {
  readonly label: string;
  /** Whose picture it is, for the initials. */
  readonly name: string;
  readonly id?: number;
  readonly src: string | null | undefined;
  readonly upload: (file: File) => Promise<unknown>;
  /** Undefined if there is nothing to remove. */
  readonly remove?: (() => Promise<unknown>) | undefined;
  readonly refusal?: string | undefined;
}

/** A picture that the user uploads or removes. The server makes it a square. */
export function ImageSetting({ label, name, id = 0, src, upload, remove, refusal }: ImageSettingProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const action = useAction();
  const choose = (file: File | undefined) => {
    if (file !== undefined) void action.run(() => upload(file));
  };
  return (
    <div className={styles.setting}>
      <div>{label}</div>
      <div className={styles.picture}>
        <Avatar name={name} id={id} src={src} size="xl" />
        <input
          ref={input}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          aria-label={label}
          onChange={({ target }) => {
            choose(target.files?.[0]);
            target.value = '';
          }}
        />
        {refusal === undefined && (
          <Button isPending={action.isPending} onPress={() => input.current?.click()}>
            {t('Upload a picture')}
          </Button>
        )}
        {remove !== undefined && refusal === undefined && (
          <Button kind="quiet" isDisabled={action.isPending} onPress={() => void action.run(remove)}>
            {t('Remove')}
          </Button>
        )}
      </div>
      {refusal !== undefined && <Refusal text={refusal} />}
      <SaveNote action={action} />
    </div>
  );
}
