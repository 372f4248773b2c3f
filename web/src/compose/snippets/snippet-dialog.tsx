import { createSavedSnippet, editSavedSnippet } from '@heddle/client/calls/operations.ts';
import type { SnippetRecord } from '@heddle/client/model/own/saved-snippets.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useKept } from '../../base/use-kept.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Form } from '../../design/form.tsx';
import { TextArea, TextField } from '../../design/text-field.tsx';
import { problemText } from '../../shown/problem-text.ts';

/** The server refuses longer titles. */
const MAX_TITLE_CHARACTERS = 60;

interface SnippetDialogProps {
  /** The snippet that is edited. Undefined: a new one. */
  readonly snippet?: SnippetRecord;
  readonly initialContent?: string;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Creates or edits a saved snippet. */
export default function SnippetDialog({ snippet, initialContent = '', onOpenChange }: SnippetDialogProps): ReactNode {
  const { connection } = useApp();
  const isNew = snippet === undefined;
  const [title, setTitle, endTitle] = useKept(isNew ? 'new snippet: title' : undefined, snippet?.title ?? '');
  // A text to begin with is that of the message, which is kept there.
  const [content, setContent, endContent] = useKept(
    isNew && initialContent === '' ? 'new snippet: text' : undefined,
    snippet?.content ?? initialContent,
  );
  const close = () => {
    endTitle();
    endContent();
    onOpenChange(false);
  };
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const isValid = title.trim() !== '' && content.trim() !== '' && [...title].length <= MAX_TITLE_CHARACTERS;
  const save = async (): Promise<void> => {
    if (!isValid || isPending) return;
    setPending(true);
    try {
      if (snippet === undefined) await createSavedSnippet(connection, { title, content });
      else await editSavedSnippet(connection, { saved_snippet_id: snippet.id, title, content });
      close();
    } catch (error) {
      setProblem(problemText(error));
      setPending(false);
    }
  };
  return (
    <Dialog
      title={isNew ? t('New snippet') : t('Edit snippet')}
      isOpen
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button onPress={close}>{t('Cancel')}</Button>
          <Button kind="primary" isDisabled={!isValid} isPending={isPending} onPress={() => void save()}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <Form onSubmit={save}>
        {problem !== undefined && <Banner kind="error">{problem}</Banner>}
        <TextField label={t('Title')} value={title} onChange={setTitle} limit={MAX_TITLE_CHARACTERS} autoFocus />
        <TextArea label={t('Text')} value={content} onChange={setContent} rows={5} />
      </Form>
    </Dialog>
  );
}
