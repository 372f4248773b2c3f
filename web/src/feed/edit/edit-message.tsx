import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { copy } from '../../actions/copying.ts';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { isApple } from '../../base/keyboard.ts';
import { toasts } from '../../base/toasts.ts';
import { useChanges } from '../../base/use-changes.ts';
import { factsOf, nowSeconds } from '../../content/message-facts.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/classes.ts';
import { TextArea, type TextAreaProps } from '../../design/text-field.tsx';
import { problemText } from '../../shown/problem-text.ts';
import { durationText, refusalText } from '../../shown/refusal-text.ts';
import { Difference } from './difference.tsx';
import styles from './edit.module.css';
import { type Edit, editStore } from './edit-store.ts';
import { saveEdit } from './save-edit.ts';

/** The field of the editor. Compose offers one with typeahead. */
export type EditorProps = Required<Pick<TextAreaProps, 'label' | 'value' | 'onChange' | 'onKeyDown' | 'inputRef'>> &
  Pick<TextAreaProps, 'limit'>;

interface Props {
  readonly record: MessageRecord;
  readonly edit: Edit;
  /** The field. Default: a text area. */
  readonly renderEditor?: (props: EditorProps) => ReactNode;
}

/** Edits the text of a message in its place. */
export default function EditMessage({ record, edit, renderEditor = plainEditor }: Props): ReactNode {
  const app = useApp();
  const { model } = app;
  const { id } = record;
  const editor = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [current, setCurrent] = useState<string>();
  useChanges(model.permissions.changes);
  const limit = useTimeLimit(record);
  const permission = model.permissions.messages.editContent(factsOf(record), nowSeconds());
  // The server accepts edits for some seconds after the limit, so it decides.
  const isRefused = !permission.allowed && permission.reason !== 'time limit';
  useFocus(id, field);
  const close = () => {
    // The user may write something else meanwhile.
    const hasFocus = editor.current?.contains(document.activeElement);
    editStore.close(model.ownId, id);
    if (hasFocus) document.querySelector<HTMLElement>(`[data-message-id="${id}"]`)?.focus();
  };
  const cancel = () => {
    close();
    if (edit.text === edit.original) return;
    const undo = () => editStore.resume(app, id, edit);
    toasts.show({ text: t('Your changes were not saved.'), action: { label: t('Undo'), run: undo }, key: 'edit' });
  };
  /** What the user typed while the text was saved is the next edit. */
  const saved = ({ text }: Edit, current: string) => {
    const typed = editStore.get(model.ownId, id)?.text ?? text;
    if (typed === text) close();
    else editStore.set(model.ownId, id, { original: current, text: typed });
  };
  const change = (text: string) => editStore.set(model.ownId, id, { ...edit, text });
  const save = async (wanted: Edit) => {
    if (isPending) return;
    if (wanted.text === wanted.original) {
      close();
      return;
    }
    setPending(true);
    setProblem(undefined);
    try {
      const result = await saveEdit(app, id, wanted);
      if (result.outcome === 'saved') saved(wanted, result.current);
      else setCurrent(result.current);
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setPending(false);
    }
  };
  const onKeyDown: EditorProps['onKeyDown'] = (event) => {
    if (event.key === 'Escape') return cancel();
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing;
    const sends = event.ctrlKey || event.metaKey || (model.account.settings.enter_sends && !event.shiftKey);
    if (!isEnter || !sends) return event.continuePropagation();
    event.preventDefault();
    void save(edit);
  };
  return (
    <div ref={editor} className={styles.edit} data-keyboard-scope="compose">
      {renderEditor({
        label: t('Edit message'),
        value: edit.text,
        onChange: change,
        onKeyDown,
        inputRef: field,
        limit: model.organization.limits.message_length,
      })}
      {isRefused && (
        <Banner
          kind="warning"
          action={
            <Button size="small" onPress={() => void copy(edit.text, t('Text copied'))}>
              {t('Copy your text')}
            </Button>
          }
        >
          {refusalText(permission)}
        </Banner>
      )}
      {problem !== undefined && (
        <Banner kind="error">{t('Not saved. {problem} Your text is kept here.', { problem })}</Banner>
      )}
      {current !== undefined && current !== edit.original && (
        <Conflict
          mine={edit.text}
          current={current}
          onMine={() => void save({ original: current, text: edit.text })}
          onCurrent={close}
        />
      )}
      <div className={styles.buttons}>
        <Button
          kind="primary"
          size="small"
          isPending={isPending}
          isDisabled={isRefused}
          onPress={() => void save(edit)}
        >
          {t('Save')}
        </Button>
        <Button size="small" onPress={cancel}>
          {t('Cancel')}
        </Button>
        {limit === undefined ? (
          <span className={classes(styles.hint, styles.keys)}>
            {isApple ? t('⌘ Enter saves, Esc cancels') : t('Ctrl+Enter saves, Esc cancels')}
          </span>
        ) : (
          <span className={styles.hint}>{limit}</span>
        )}
      </div>
    </div>
  );
}

function plainEditor({ limit, ...props }: EditorProps): ReactNode {
  return <TextArea {...props} isLabelHidden rows={2} {...(limit !== undefined && { limit })} />;
}

/** Moves the focus to the end of the text when the user has opened the editor, not when the row appears by scrolling. */
function useFocus(messageId: number, field: { readonly current: HTMLTextAreaElement | null }): void {
  useEffect(() => {
    if (!editStore.takeFocus(messageId)) return;
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  });
}

/** Below this, the remaining time is shown. */
const SHOWN_SECONDS = 10 * 60;

/** How long the user can still save, as a sentence, when it becomes short. */
function useTimeLimit({ timestamp }: MessageRecord): string | undefined {
  const limit = useApp().model.organization.settings.message_content_edit_limit_seconds;
  const [now, setNow] = useState(nowSeconds);
  useEffect(() => {
    if (limit === null) return undefined;
    const timer = setInterval(() => setNow(nowSeconds()), 1_000);
    return () => clearInterval(timer);
  }, [limit]);
  if (limit === null) return undefined;
  const left = Math.ceil(timestamp + limit - now);
  if (left > SHOWN_SECONDS) return undefined;
  return left > 0
    ? t('You can save for {duration}.', { duration: durationText(left) })
    : t('The time to edit is over.');
}

interface ConflictProps {
  readonly mine: string;
  readonly current: string;
  readonly onMine: () => void;
  readonly onCurrent: () => void;
}

/** The message was changed somewhere else. The user decides which text stays. */
function Conflict({ mine, current, onMine, onCurrent }: ConflictProps): ReactNode {
  return (
    <Banner kind="warning">
      <p className={styles.conflictTitle}>
        {t('The message was changed while you edited it. From its text to yours:')}
      </p>
      <Difference before={current} after={mine} />
      <div className={styles.buttons}>
        <Button size="small" onPress={onMine}>
          {t('Save my text')}
        </Button>
        <Button size="small" onPress={onCurrent}>
          {t('Keep the other text')}
        </Button>
      </div>
    </Banner>
  );
}
