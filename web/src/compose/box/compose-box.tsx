import { type ReactNode, Suspense, useCallback, useEffect, useId, useRef } from 'react';
import { t } from '../../base/i18n.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { lazyPart } from '../../base/lazy-part.tsx';
import { lazyComponent } from '../../base/load-code.ts';
import { useChanges } from '../../base/use-changes.ts';
import styles from '../compose.module.css';
import { composeStore } from '../compose-store.ts';
import type { ComposeSession } from '../drafts/session.ts';
import { ScheduledBanner } from '../scheduling/scheduled-banner.tsx';
import { loadWaitingCode } from '../sending/load-waiting.ts';
import { useSend } from '../sending/sending.ts';
import { useTypingNotices } from '../sending/use-typing-notices.ts';
import { useWarnings } from '../sending/use-warnings.ts';
import { waitingStore } from '../sending/waiting-store.ts';
import { Warnings } from '../sending/warnings.tsx';
import { composeShortcuts } from '../shortcuts.ts';
import { usePlaceholder } from '../target/place-names.ts';
import { isOnItsWay } from '../uploads/uploads.ts';
import { useDroppedFiles } from '../uploads/use-dropped-files.ts';
import { useUploads } from '../uploads/use-uploads.ts';
import { isOwnFocus } from './box-focus.ts';
import { SendButtons } from './send-buttons.tsx';
import { WritingBox } from './writing-box.tsx';

/** Only a box outside of a conversation has it, and its lists of choices are large. */
const TargetBar = lazyPart(async () => ({ default: (await import('./target-bar.tsx')).TargetBar }));

const WaitingList = lazyComponent(() => import('../sending/waiting-list.tsx'));

interface ComposeBoxProps {
  /** The same as long as the session is. */
  readonly id: string;
  readonly session: ComposeSession;
  /** Whether it belongs to the open conversation. */
  readonly isDocked: boolean;
}

/** The open compose box. It renders when the user pauses, not at each key press. */
export function ComposeBox({ id, session, isDocked }: ComposeBoxProps): ReactNode {
  const { text, place } = session;
  const section = useRef<HTMLElement>(null);
  const noteId = useId();
  useChanges(session.changes);
  useChanges(text.rests);
  useChanges(waitingStore.changes);
  const waiting = place === undefined ? [] : waitingStore.at(place);
  const uploads = useUploads();
  const { shown, stopping } = useWarnings(session, uploads);
  const send = useSend(session, stopping, isDocked);
  const placeholder = usePlaceholder(place);
  const addFiles = useCallback(
    (files: readonly File[]) => {
      uploads.add(session, files);
      void loadWaitingCode();
    },
    [uploads, session],
  );
  useRequests(session, addFiles);
  useTypingNotices(session);
  const isDropping = useDroppedFiles(addFiles);
  useShortcut(composeShortcuts.close, () => leave(session, isDocked), { when: () => isOwnFocus(section) });
  // What stands beside the button can be overlooked, so an attempt to send says it in full.
  const banners = shown.filter(({ isBesideButton }) => !isBesideButton || session.isAttempted);
  const isBlocked = shown.some(({ blocksWriting }) => blocksWriting);
  const isHidden = text.isEmpty && isBlocked;
  return (
    <section ref={section} className={styles.compose} aria-label={t('Compose')} data-keyboard-scope="compose">
      {!isDocked && <TargetBar session={session} />}
      {place !== undefined && <ScheduledBanner key={`scheduled ${id}`} place={place} />}
      {waiting.length > 0 && (
        <Suspense fallback={null}>
          <WaitingList messages={waiting} />
        </Suspense>
      )}
      <Warnings key={`warnings ${id}`} warnings={banners} session={session} send={send} />
      {!isHidden && (
        <WritingBox
          id={id}
          session={session}
          label={t('Message')}
          placeholder={placeholder}
          send={send}
          onFiles={addFiles}
          noteId={noteId}
          isDropping={isDropping}
        >
          <SendButtons
            id={id}
            session={session}
            send={send}
            reasonId={noteId}
            obstacle={shown.find(({ kind }) => kind === 'error')?.text}
            isBlocked={isBlocked}
            isUploading={uploads.of(text.value).some(isOnItsWay)}
          />
        </WritingBox>
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
