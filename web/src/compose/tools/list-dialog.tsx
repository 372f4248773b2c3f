import type { ReactNode } from 'react';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { useKept } from '../../base/use-kept.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Form } from '../../design/form.tsx';
import { TextArea, TextField } from '../../design/text-field.tsx';
import type { LiveSession } from '../drafts/live-sessions.ts';
import { listCommand } from './list-command.ts';

interface ListDialogProps {
  readonly kind: 'poll' | 'todo';
  readonly session: LiveSession;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Makes a poll or a to-do list. A message with one contains nothing else, so it replaces the text, which stays a draft. */
export default function ListDialog({ kind, session, onOpenChange }: ListDialogProps): ReactNode {
  const [title, setTitle, endTitle] = useKept(`new ${kind}: title`, '');
  const [entries, setEntries, endEntries] = useKept(`new ${kind}: entries`, '');
  const isPoll = kind === 'poll';
  const isValid = !isPoll || title.trim() !== '';
  const close = () => {
    endTitle();
    endEntries();
    onOpenChange(false);
  };
  const insert = (): void => {
    if (!isValid) return;
    close();
    if (session.text.value.trim() !== '') toasts.show({ text: t('Your text is a draft now.') });
    session.replaceText?.({ place: session.place, content: listCommand(kind, title, entries) });
    requestAnimationFrame(() => session.text.focus());
  };
  return (
    <Dialog
      title={isPoll ? t('New poll') : t('New to-do list')}
      isOpen
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button onPress={close}>{t('Cancel')}</Button>
          <Button kind="primary" isDisabled={!isValid} onPress={insert}>
            {t('Add to the message')}
          </Button>
        </>
      }
    >
      <Form onSubmit={insert}>
        <TextField label={isPoll ? t('Question') : t('Title')} value={title} onChange={setTitle} autoFocus />
        <TextArea
          label={isPoll ? t('Options') : t('Tasks')}
          description={
            isPoll ? t('One option per line. Others can add more.') : t('One task per line. Others can add more.')
          }
          value={entries}
          onChange={setEntries}
          rows={4}
        />
      </Form>
    </Dialog>
  );
}
