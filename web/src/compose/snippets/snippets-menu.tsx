import type { SnippetRecord } from '@heddle/client/model/own/saved-snippets.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { lazyPart } from '../../base/lazy-part.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { AddIcon, EditIcon, FileIcon } from '../../design/icons.ts';
import { MenuItem, MenuSeparator, MoreMenu } from '../../design/menu.tsx';
import type { BoxText } from '../text/box-text.ts';
import { excerptOf } from '../text/excerpt.ts';

const SnippetDialog = lazyPart(() => import('./snippet-dialog.tsx'));
const SnippetsDialog = lazyPart(() => import('./snippets-dialog.tsx'));

/** How many snippets the menu shows. The dialog shows all. */
const MAX_SHOWN_SNIPPETS = 12;

/** Inserts saved texts, and saves the text of the box for later. */
export function SnippetsMenu({ text }: { readonly text: BoxText }): ReactNode {
  const { model } = useApp();
  useChanges(model.savedSnippets.changes);
  useChanges(text.rests);
  const [open, setOpen] = useState<'new' | 'all'>();
  const snippets = model.savedSnippets.all;
  const close = (isOpen: boolean): void => {
    if (!isOpen) setOpen(undefined);
  };
  const insert = ({ content }: SnippetRecord): void => {
    setOpen(undefined);
    requestAnimationFrame(() => {
      text.focus();
      text.insert(content);
    });
  };
  return (
    <>
      <MoreMenu label={t('Saved snippets')} icon={FileIcon} placement="top start">
        {snippets.slice(0, MAX_SHOWN_SNIPPETS).map((snippet) => (
          <MenuItem key={snippet.id} detail={excerptOf(snippet.content)} onAction={() => insert(snippet)}>
            {snippet.title}
          </MenuItem>
        ))}
        {snippets.length > 0 && <MenuSeparator />}
        <MenuItem icon={AddIcon} onAction={() => setOpen('new')}>
          {text.isEmpty ? t('New snippet') : t('Save the text as a snippet')}
        </MenuItem>
        {snippets.length > 0 && (
          <MenuItem icon={EditIcon} onAction={() => setOpen('all')}>
            {t('Edit snippets')}
          </MenuItem>
        )}
      </MoreMenu>
      {open === 'new' && <SnippetDialog initialContent={text.value.trim()} onOpenChange={close} />}
      {open === 'all' && <SnippetsDialog onOpenChange={close} onInsert={insert} />}
    </>
  );
}
