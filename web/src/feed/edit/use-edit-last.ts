import type { Virtualizer } from '@tanstack/react-virtual';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { toasts } from '../../base/toasts.ts';
import { composeShortcuts } from '../../compose/shortcuts.ts';
import { factsOf, nowSeconds } from '../../content/message-facts.ts';
import { refusalText } from '../../shown/refusal-text.ts';
import type { Row } from '../rows.ts';
import { editStore } from './edit-store.ts';

/** From an empty compose box, the arrows to the left and up edit the user's last message of the view. */
export function useEditLast(rows: readonly Row[], virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>): void {
  const app = useApp();
  const { model } = app;
  const { messages } = model.cache;
  const isOwn = (row: Row): boolean =>
    row.kind === 'outgoing' || (row.kind === 'message' && messages.get(row.id)?.senderId === model.ownId);
  useShortcut(composeShortcuts.editLast, ({ target }) => {
    // The command palette has no field.
    if (target instanceof HTMLTextAreaElement && (target.value !== '' || target.closest('article') !== null))
      return false;
    if (target instanceof HTMLInputElement) return false;
    const index = rows.findLastIndex(isOwn);
    const row = rows[index];
    // A message that is on its way has no place to edit it yet. An older one is not meant.
    if (row?.kind !== 'message') return row !== undefined;
    const record = messages.get(row.id);
    if (record === undefined) return false;
    const permission = model.permissions.messages.editContent(factsOf(record), nowSeconds());
    if (!permission.allowed) {
      const text = t('The message cannot be edited now. {problem}', { problem: refusalText(permission) });
      toasts.show({ text, key: 'edit' });
      return true;
    }
    if (record.submessages.length > 0) {
      toasts.show({ text: t('Polls and to-do lists cannot be edited.'), key: 'edit' });
      return true;
    }
    virtualizer.scrollToIndex(index, { align: 'auto' });
    void editStore.openFromBox(app, row.id);
    return true;
  });
}
