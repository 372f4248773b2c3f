import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { lazyComponent } from '../../base/load-code.ts';
import { useChanges } from '../../base/use-changes.ts';
import { classes } from '../../design/classes.ts';
import styles from '../compose.module.css';
import { composeStore } from '../compose-store.ts';
import type { ComposeSession } from '../drafts/session.ts';
import { ScheduledBanner } from '../scheduling/scheduled-banner.tsx';
import { useSend } from '../sending/sending.ts';
import { useTypingNotices } from '../sending/use-typing-notices.ts';
import { useWarnings } from '../sending/use-warnings.ts';
import { Warnings } from '../sending/warnings.tsx';
import { composeShortcuts } from '../shortcuts.ts';
import { usePlaceholder } from '../target/place-names.ts';
import { UploadRows } from '../uploads/upload-rows.tsx';
import { useDroppedFiles } from '../uploads/use-dropped-files.ts';
import { useUploads } from '../uploads/use-uploads.ts';
import { ActionBar } from './action-bar.tsx';
import { Field } from './field.tsx';
import { Preview, usePreviewFocus } from './preview.tsx';

/** Only a box outside of a conversation has it, and its lists of choices are large. */
const TargetBar = lazyComponent(loadTargetBar);

/** How long the first view has to load before the rest of the box follows, in milliseconds. */
const LOAD_REST_AFTER_MS = 2_000;

async function loadTargetBar() {
  return { default: (await import('./target-bar.tsx')).TargetBar };
}

/** Loads what a box outside of a conversation needs, so that it takes the first key press. A failure is reported when the box opens. */
export function useLoadedRest(): void {
  useEffect(() => {
    const timer = setTimeout(() => void loadTargetBar().catch(() => undefined), LOAD_REST_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

interface ComposeBoxProps {
  /** The same as long as the session is. */
  readonly id: string;
  readonly session: ComposeSession;
  /** Whether it belongs to the open conversation. */
  readonly isDocked: boolean;
}

/** The open compose box. It renders when the user pauses, not at each key press. */
export function ComposeBox({ id, session, isDocked }: ComposeBoxProps): ReactNode {
  const { model } = useApp();
  const { text, place } = session;
  const [previewed, setPreviewed] = useState<ComposeSession>();
  const isPreviewing = previewed === session;
  const setPreviewing = (isOn: boolean): void => setPreviewed(isOn ? session : undefined);
  const preview = usePreviewFocus(session, isPreviewing);
  useChanges(session.changes);
  useChanges(text.rests);
  useChanges(model.account.changes);
  const uploads = useUploads();
  const { shown, stopping } = useWarnings(session, uploads);
  const send = useSend(session, stopping, isDocked);
  const placeholder = usePlaceholder(place);
  const addFiles = useCallback((files: readonly File[]) => uploads.add(session, files), [uploads, session]);
  useRequests(session, addFiles);
  useTypingNotices(session);
  const isDropping = useDroppedFiles(addFiles);
  useShortcut(composeShortcuts.preview, () => setPreviewing(!isPreviewing));
  useShortcut(composeShortcuts.close, () => leave(session, isDocked));
  const isBlocked = shown.some(({ blocksWriting }) => blocksWriting);
  const isHidden = text.isEmpty && isBlocked;
  return (
    <section className={styles.compose} aria-label={t('Compose')} data-keyboard-scope="compose">
      {!isDocked && (
        <Suspense fallback={null}>
          <TargetBar session={session} />
        </Suspense>
      )}
      {place !== undefined && <ScheduledBanner key={`scheduled ${id}`} place={place} />}
      <Warnings key={`warnings ${id}`} warnings={shown} session={session} send={send} />
      {!isHidden && (
        <div className={classes(styles.box, isDropping && styles.dropping)}>
          {isPreviewing ? (
            <Preview content={text.value} element={preview} />
          ) : (
            <Field
              key={id}
              session={session}
              placeholder={placeholder}
              send={send}
              sendsOnEnter={model.account.settings.enter_sends}
              onFiles={addFiles}
            />
          )}
          <UploadRows key={`uploads ${id}`} text={text.value} />
          <ActionBar
            id={id}
            session={session}
            send={() => {
              setPreviewing(false);
              return send();
            }}
            obstacle={shown.find(({ kind }) => kind === 'error')?.text}
            isBlocked={isBlocked}
            isPreviewing={isPreviewing}
            onPreview={setPreviewing}
            onFiles={addFiles}
          />
        </div>
      )}
    </section>
  );
}

/** Takes what other parts of the app want from the box: the focus, texts and files. */
function useRequests({ text }: ComposeSession, addFiles: (files: readonly File[]) => void): void {
  useChanges(composeStore.changes);
  useEffect(() => {
    const insertions = composeStore.takeInsertions();
    const { request } = composeStore;
    // With a picker, its first empty field takes the focus.
    if (composeStore.takeFocus() && (request === undefined || request.place !== undefined)) text.focus();
    for (const insertion of insertions) {
      // A quote is a block of lines. A mention is part of a line.
      if (insertion.includes('\n')) text.insertBlock(insertion);
      else text.insertWord(insertion);
    }
    const files = composeStore.takeFiles();
    if (files.length > 0) addFiles(files);
  });
}

/** Moves the focus out of the box, and closes a box that does not belong to the open conversation. */
function leave({ text }: ComposeSession, isDocked: boolean): true {
  text.element?.blur();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (!isDocked) composeStore.close();
  return true;
}
