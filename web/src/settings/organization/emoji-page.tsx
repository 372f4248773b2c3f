import { deactivateCustomEmoji, uploadCustomEmoji } from '@heddle/client/calls/operations.ts';
import type { CustomEmojiRecord } from '@heddle/client/model/emoji.ts';
import { type ReactNode, useRef, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Form, FormSection } from '../../design/form.tsx';
import { TextField } from '../../design/text-field.tsx';
import { userName } from '../../shown/names.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { refusalText } from '../reasons.ts';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';

/** The emoji of the organization. Adds and deletes them. */
export function EmojiPage(): ReactNode {
  const { model } = useApp();
  useChanges(model.emoji.changes);
  useChanges(model.permissions.changes);
  const active = [...model.emoji.active.values()].sort((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <AddEmoji />
      <FormSection title={t('Custom emoji')}>
        {active.length === 0 ? (
          <p className={styles.quiet}>{t('There are no custom emoji.')}</p>
        ) : (
          <ul className={styles.list} aria-label={t('Custom emoji')}>
            {active.map((emoji) => (
              <Row key={emoji.id} emoji={emoji} />
            ))}
          </ul>
        )}
      </FormSection>
    </>
  );
}

function Row({ emoji }: { readonly emoji: CustomEmojiRecord }): ReactNode {
  const { model, connection } = useApp();
  const { name, url, authorId } = emoji;
  const canDelete = model.account.isAdministrator || authorId === model.ownId;
  return (
    <li className={styles.item}>
      <img className={styles.emoji} src={url} alt="" loading="lazy" />
      <div className={styles.itemTexts}>
        <div>:{name}:</div>
        <div className={styles.quiet}>{t('by {name}', { name: userName(model, authorId) })}</div>
      </div>
      {canDelete && (
        <ConfirmButton
          size="small"
          kind="quiet"
          label={t('Delete')}
          title={t('Delete :{name}:?', { name })}
          run={() => deactivateCustomEmoji(connection, { emoji_name: name })}
        >
          {t('Nobody can use it any more. Messages still show it.')}
        </ConfirmButton>
      )}
    </li>
  );
}

function AddEmoji(): ReactNode {
  const { model, connection } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [file, setFile] = useState<File>();
  const action = useAction();
  const refusal = refusalText(model, model.permissions.addCustomEmoji());
  const isTaken = model.emoji.active.has(name.trim());
  const isComplete = name.trim() !== '' && !isTaken && file !== undefined;
  const submit = async () => {
    if (!isComplete) return;
    if (!(await action.run(() => uploadCustomEmoji(connection, { emoji_name: name.trim(), file })))) return;
    setName('');
    setFile(undefined);
  };
  return (
    <FormSection title={t('Add an emoji')} {...(refusal !== undefined && { description: refusal })}>
      {refusal === undefined && (
        <Form onSubmit={submit}>
          <input
            ref={input}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
            aria-label={t('Picture')}
            onChange={({ target }) => {
              setFile(target.files?.[0]);
              target.value = '';
            }}
          />
          <div className={styles.bar}>
            <TextField
              label={t('Name of the emoji')}
              value={name}
              onChange={setName}
              {...(isTaken && { error: t('An emoji with this name exists.') })}
            />
            <Button onPress={() => input.current?.click()}>{file?.name ?? t('Choose a picture')}</Button>
            <Button kind="primary" type="submit" isDisabled={!isComplete} isPending={action.isPending}>
              {t('Add emoji')}
            </Button>
          </div>
          {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
        </Form>
      )}
    </FormSection>
  );
}
