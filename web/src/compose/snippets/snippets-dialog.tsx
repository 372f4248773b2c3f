import { createSavedSnippet, deleteSavedSnippet } from '@heddle/client/calls/operations.ts';
import type { SnippetRecord } from '@heddle/client/model/own/saved-snippets.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { toasts } from '../../base/toasts.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { DeleteIcon, EditIcon } from '../../design/icons.ts';
import { problemText } from '../../shown/problem-text.ts';
import { excerptOf } from '../text/excerpt.ts';
import SnippetDialog from './snippet-dialog.tsx';
import styles from './snippets-dialog.module.css';

interface SnippetsDialogProps {
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onInsert: (snippet: SnippetRecord) => void;
}

/** All saved snippets, to insert, edit and delete them. */
export default function SnippetsDialog({ onOpenChange, onInsert }: SnippetsDialogProps): ReactNode {
  const { model, connection } = useApp();
  useChanges(model.savedSnippets.changes);
  const [edited, setEdited] = useState<SnippetRecord>();
  const snippets = model.savedSnippets.all;
  const fail = (error: unknown): void => void toasts.show({ kind: 'error', text: problemText(error) });
  const remove = ({ id, title, content }: SnippetRecord): void => {
    const restore = (): void => void createSavedSnippet(connection, { title, content }).catch(fail);
    deleteSavedSnippet(connection, { saved_snippet_id: id }).then(
      () => toasts.show({ text: t('Snippet deleted'), action: { label: t('Undo'), run: restore } }),
      fail,
    );
  };
  if (edited !== undefined) return <SnippetDialog snippet={edited} onOpenChange={() => setEdited(undefined)} />;
  return (
    <Dialog title={t('Saved snippets')} isOpen onOpenChange={onOpenChange} isDismissable>
      {snippets.length === 0 && <EmptyState title={t('No snippets')} />}
      <ul className={styles.list}>
        {snippets.map((snippet) => (
          <li key={snippet.id} className={styles.row}>
            <div className={styles.texts}>
              <div className={styles.title}>{snippet.title}</div>
              <div className={styles.excerpt}>{excerptOf(snippet.content)}</div>
            </div>
            <Button size="small" onPress={() => onInsert(snippet)}>
              {t('Insert')}
            </Button>
            <IconButton
              icon={EditIcon}
              label={t('Edit {name}', { name: snippet.title })}
              onPress={() => setEdited(snippet)}
            />
            <IconButton
              icon={DeleteIcon}
              label={t('Delete {name}', { name: snippet.title })}
              onPress={() => remove(snippet)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
