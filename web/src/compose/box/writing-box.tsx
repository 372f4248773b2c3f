import { type DragEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { useModel } from '../../base/app.tsx';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { classes } from '../../design/classes.ts';
import styles from '../compose.module.css';
import type { LiveSession } from '../drafts/live-sessions.ts';
import type { Send } from '../sending/sending.ts';
import { composeShortcuts } from '../shortcuts.ts';
import { useOpenableTools } from '../tools/open-tool.ts';
import { loadTimeDialog, type OpenedTool, ToolDialogs } from '../tools/tool-dialogs.tsx';
import { TIME_OPENING } from '../typeahead/trigger.ts';
import { UploadRows } from '../uploads/upload-rows.tsx';
import { isOwnFocus } from './box-focus.ts';
import { Field } from './field.tsx';
import { Preview, usePreviewFocus } from './preview.tsx';
import { Toolbar } from './toolbar.tsx';

export interface WritingBoxProps {
  /** The same as long as the session is. */
  readonly id: string;
  readonly session: LiveSession;
  /** The name of the text field. */
  readonly label: string;
  readonly placeholder?: string;
  /** What Enter does, with Ctrl or as the settings say. */
  readonly send: Send;
  readonly onFiles: (files: readonly File[]) => void;
  /** The id of the note that says whether the text is too long. */
  readonly noteId: string;
  /** Whether files are over the window. */
  readonly isDropping?: boolean;
  /** What stands behind the tools. */
  readonly children?: ReactNode;
}

/** The field with its tools, preview and files. New messages and edits have the same. */
export function WritingBox(props: WritingBoxProps): ReactNode {
  const { id, session, label, placeholder, send, onFiles, noteId, isDropping = false, children } = props;
  const { account, organization } = useModel();
  const { text } = session;
  const box = useRef<HTMLDivElement>(null);
  const [previewed, setPreviewed] = useState<LiveSession>();
  const [opened, setOpened] = useState<OpenedTool & { readonly id: string }>();
  useChanges(text.rests);
  useChanges(account.changes);
  // A sent text has no preview.
  if (previewed !== undefined && text.isEmpty) setPreviewed(undefined);
  const isPreviewing = previewed === session && !text.isEmpty;
  const setPreviewing = (isOn: boolean): void => setPreviewed(isOn ? session : undefined);
  const preview = usePreviewFocus(session, isPreviewing);
  useShortcut(composeShortcuts.preview, () => setPreviewing(!isPreviewing), { when: () => isOwnFocus(box) });
  const open = useCallback((tool: OpenedTool) => setOpened({ ...tool, id }), [id]);
  useOpenableTools(session, open);
  const canChooseGif = () => !isPreviewing && Boolean(organization.settings.gif_picker) && isOwnFocus(box);
  useShortcut(composeShortcuts.gif, () => open({ kind: 'gif' }), { when: canChooseGif });
  const canRecordVoice = () => !isPreviewing && typeof MediaRecorder === 'function' && isOwnFocus(box);
  useShortcut(composeShortcuts.voice, () => open({ kind: 'voice' }), { when: canRecordVoice });
  // The field keeps the focus, and what is typed, until the picker is there.
  const openTime = (from: number): void => {
    void loadTimeDialog().then(() => {
      const isWanted = text.value.startsWith(TIME_OPENING, from) && document.activeElement === text.element;
      if (isWanted) open({ kind: 'time', from });
    });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its button for files does the same by keyboard.
    <div
      ref={box}
      className={classes(styles.box, isDropping && styles.dropping)}
      onDrop={(event) => dropFiles(event, onFiles)}
    >
      {isPreviewing ? (
        <Preview content={text.value} element={preview} />
      ) : (
        <Field
          key={id}
          session={session}
          label={label}
          placeholder={placeholder}
          send={send}
          sendsOnEnter={account.settings.enter_sends}
          onFiles={onFiles}
          onTime={openTime}
        />
      )}
      <UploadRows key={`uploads ${id}`} text={text.value} />
      <Toolbar
        id={id}
        session={session}
        isPreviewing={isPreviewing}
        onPreview={setPreviewing}
        onFiles={onFiles}
        onOpen={open}
        noteId={noteId}
      >
        {children}
      </Toolbar>
      {opened?.id === id && (
        <ToolDialogs
          opened={opened}
          session={session}
          onClose={() => setOpened(undefined)}
          onFiles={onFiles}
          send={send}
        />
      )}
    </div>
  );
}

/** Files over an edit are for the edit. Those elsewhere in the window are for the box of the view. */
function dropFiles(event: DragEvent, onFiles: WritingBoxProps['onFiles']): void {
  const files = [...event.dataTransfer.files];
  if (files.length === 0) return;
  event.preventDefault();
  onFiles(files);
}
