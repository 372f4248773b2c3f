import { keyOf, type Place } from '@heddle/client/model/places.ts';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../design/button.tsx';
import { SendIcon } from '../design/icons.ts';
import { useApp } from '../shell/app.tsx';
import { t } from '../shell/i18n.ts';
import { useChanges } from '../shell/use-changes.ts';
import styles from './compose.module.css';
import { composeStore } from './compose-store.ts';

/** The box in which the user writes, in the conversation that is open. */
export function Compose({ place }: { readonly place: Place | undefined }): ReactNode {
  const { model } = useApp();
  useChanges(composeStore.changes);
  const target = place ?? composeStore.request?.place;
  const field = useRef<HTMLTextAreaElement>(null);
  const { request } = composeStore;
  useEffect(() => {
    const element = field.current;
    if (element === null) return;
    for (const text of composeStore.takeInsertions())
      element.setRangeText(text, element.selectionStart, element.selectionEnd, 'end');
    if (request !== undefined) element.focus();
  });
  if (target === undefined) return null;
  const send = (): void => {
    const element = field.current;
    const content = element?.value.trim();
    if (element === null || content === undefined || content === '') return;
    model.cache.outbox.send(target, content, model.maxMessageId);
    element.value = '';
    element.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    const sends = event.ctrlKey || event.metaKey || (model.account.settings.enter_sends && !event.shiftKey);
    if (!sends) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={styles.compose} data-keyboard-scope="compose" key={keyOf(target)}>
      <textarea
        ref={field}
        className={styles.text}
        aria-label={t('Message')}
        placeholder={t('Write a message')}
        rows={2}
        onKeyDown={onKeyDown}
      />
      <Button kind="primary" icon={SendIcon} onPress={send}>
        {t('Send')}
      </Button>
    </div>
  );
}
