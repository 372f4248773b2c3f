import type { MessageRecord } from '@heddle/client/model/messages/message-record.ts';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { copy } from '../../actions/copying.ts';
import { useApp } from '../../base/app.tsx';
import { excessOf } from '../../base/excess.ts';
import { t } from '../../base/i18n.ts';
import { isApple } from '../../base/keyboard.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { toasts } from '../../base/toasts.ts';
import { useChanges } from '../../base/use-changes.ts';
import { isOwnFocus } from '../../compose/box/box-focus.ts';
import { WritingBox } from '../../compose/box/writing-box.tsx';
import { composeStore } from '../../compose/compose-store.ts';
import { composeShortcuts } from '../../compose/shortcuts.ts';
import { useUploads } from '../../compose/uploads/use-uploads.ts';
import { factsOf, nowSeconds } from '../../content/message-facts.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/classes.ts';
import { problemText } from '../../shown/problem-text.ts';
import { durationText, refusalText } from '../../shown/refusal-text.ts';
import { Difference } from './difference.tsx';
import styles from './edit.module.css';
import { type Edit, editStore } from './edit-store.ts';
import { saveEdit } from './save-edit.ts';

interface Props {
  readonly record: MessageRecord;
  readonly edit: Edit;
}

/** Edits the text of a message in its place, in the same box in which messages are written. */
export default function EditMessage({ record, edit }: Props): ReactNode {
  const app = useApp();
  const { model } = app;
  const { id } = record;
  const editor = useRef<HTMLDivElement>(null);
  const [session] = useState(() => editStore.sessionOf(app, id));
  const { text } = session;
  const uploads = useUploads();
  const noteId = useId();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [current, setCurrent] = useState<string>();
  useChanges(model.permissions.changes);
  useChanges(text.rests);
  useEffect(() => session.start(), [session]);
  const limit = useTimeLimit(record);
  const permission = model.permissions.messages.editContent(factsOf(record), nowSeconds());
  // The server accepts edits for some seconds after the limit, so it decides.
  const isRefused = !permission.allowed && permission.reason !== 'time limit';
  useEffect(() => {
    // When the user has opened the editor, not when the row appears by scrolling.
    if (editStore.takeFocus(id)) text.focus();
  });
  const close = () => {
    // The user may write something else meanwhile.
    const hasFocus = editor.current?.contains(document.activeElement);
    const isFromBox = editStore.close(model.ownId, id);
    if (!hasFocus) return;
    if (isFromBox) composeStore.focus();
    else document.querySelector<HTMLElement>(`[data-message-id="${id}"]`)?.focus();
  };
  const cancel = () => {
    const typed = { original: edit.original, text: text.value };
    close();
    if (typed.text === typed.original) return;
    const undo = () => editStore.resume(app, id, typed);
    toasts.show({ text: t('Your changes were not saved.'), action: { label: t('Undo'), run: undo }, key: 'edit' });
  };
  /** What the user typed while the text was saved is the next edit. */
  const saved = (wanted: Edit, current: string) => {
    if (!editStore.isOpen(id, session)) return;
    if (text.value === wanted.text) close();
    else editStore.set(model.ownId, id, { original: current, text: text.value });
  };
  const isTooLongNow = () => excessOf(text.value, model.organization.limits.message_length) > 0;
  const isTooLong = isTooLongNow();
  const save = async (original: string) => {
    if (isPending || isRefused || isTooLongNow()) return;
    if (text.value === edit.original && original === edit.original) {
      close();
      return;
    }
    setPending(true);
    setProblem(undefined);
    try {
      const failed = await uploads.settled(() => text.value);
      if (!editStore.isOpen(id, session)) return;
      if (failed !== undefined) {
        setProblem(t('“{name}” was not uploaded.', { name: failed.name }));
        return;
      }
      const wanted = { original, text: text.value };
      const result = await saveEdit(app, id, wanted);
      if (result.outcome === 'saved') {
        uploads.forget(wanted.text);
        saved(wanted, result.current);
      } else setCurrent(result.current);
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setPending(false);
    }
  };
  const isOwn = () => isOwnFocus(editor);
  useShortcut(composeShortcuts.close, cancel, { when: isOwn });
  return (
    <div ref={editor} className={styles.edit} data-keyboard-scope="compose">
      <WritingBox
        id={`edit ${id}`}
        session={session}
        label={t('Edit message')}
        send={() => {
          void save(edit.original);
          return false;
        }}
        onFiles={(files) => uploads.add(session, files)}
        noteId={noteId}
      />
      {isRefused && (
        <Banner
          kind="warning"
          action={
            <Button size="small" onPress={() => void copy(text.value, t('Text copied'))}>
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
        <Conflict mine={text.value} current={current} onMine={() => void save(current)} onCurrent={close} />
      )}
      <div className={styles.buttons}>
        <Button
          kind="primary"
          size="small"
          isPending={isPending}
          isDisabled={isRefused}
          aria-disabled={isTooLong}
          aria-describedby={noteId}
          onPress={() => void save(edit.original)}
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
