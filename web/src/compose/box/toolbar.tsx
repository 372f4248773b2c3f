import { memo, type ReactNode, useCallback, useDeferredValue, useRef } from 'react';
import { t } from '../../base/i18n.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { IconButton, IconToggle } from '../../design/icon-button.tsx';
import { AttachIcon, ShowIcon } from '../../design/icons.ts';
import type { LiveSession } from '../drafts/live-sessions.ts';
import { composeShortcuts } from '../shortcuts.ts';
import { EmojiButton } from '../tools/emoji-button.tsx';
import { FormatTools } from '../tools/format-tools.tsx';
import { MoreTools } from '../tools/more-tools.tsx';
import type { OpenedTool } from '../tools/tool-dialogs.tsx';
import { isOwnFocus } from './box-focus.ts';
import { LengthNote } from './length-note.tsx';
import styles from './toolbar.module.css';

interface ToolbarProps {
  /** The same as long as the session is. Menus and dialogs end with it. */
  readonly id: string;
  readonly session: LiveSession;
  readonly isPreviewing: boolean;
  readonly onPreview: (isPreviewing: boolean) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onOpen: (tool: OpenedTool) => void;
  /** The id of the note about the length. */
  readonly noteId: string;
  readonly children: ReactNode;
}

/** The tools below the text: six buttons, and a menu of the others. */
export function Toolbar({
  id,
  session,
  isPreviewing,
  onPreview,
  onFiles,
  onOpen,
  noteId,
  children,
}: ToolbarProps): ReactNode {
  // The messages of another conversation appear first, and its menus in the next frame.
  const lateId = useDeferredValue(id);
  const lateSession = useDeferredValue(session);
  const { isEmpty } = session.text;
  return (
    <div className={styles.bar}>
      <div className={styles.tools}>
        {!isPreviewing && <Tools id={lateId} session={lateSession} onFiles={onFiles} />}
        <IconToggle
          icon={ShowIcon}
          label={t('Preview')}
          shortcut={composeShortcuts.preview}
          isSelected={isPreviewing}
          onChange={onPreview}
          isDisabled={isEmpty && !isPreviewing}
        />
        {!isPreviewing && <MoreTools key={`more ${lateId}`} session={lateSession} onOpen={onOpen} />}
      </div>
      <LengthNote id={noteId} text={session.text.value} />
      {children}
    </div>
  );
}

/** What edits the text. It renders for another conversation, not while the user writes. */
const Tools = memo(function Tools({
  id,
  session,
  onFiles,
}: Pick<ToolbarProps, 'id' | 'session' | 'onFiles'>): ReactNode {
  return (
    <>
      <AttachButton onFiles={onFiles} />
      <EmojiButton key={`emoji ${id}`} text={session.text} />
      <FormatTools text={session.text} />
    </>
  );
});

function AttachButton({ onFiles }: Pick<ToolbarProps, 'onFiles'>): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const pick = useCallback(() => input.current?.click(), []);
  useShortcut(composeShortcuts.attach, pick, { when: () => isOwnFocus(input) });
  return (
    <>
      <IconButton icon={AttachIcon} label={t('Attach files')} shortcut={composeShortcuts.attach} onPress={pick} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('Files')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
