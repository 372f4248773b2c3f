import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { lazyPart } from '../../base/lazy-part.tsx';
import { loadedCode } from '../../base/load-code.ts';
import type { LiveSession } from '../drafts/live-sessions.ts';
import type { Send } from '../sending/sending.ts';
import { TIME_OPENING } from '../typeahead/trigger.ts';
import { insertOnOwnLine } from '../uploads/file-links.ts';

/** Resolves when the picker of times can open at once. */
export const loadTimeDialog = () => loadedCode(() => import('./time-dialog.tsx'));

const TimeDialog = lazyPart(() => import('./time-dialog.tsx'));
const GifDialog = lazyPart(() => import('../gifs/gif-dialog.tsx'));
const ListDialog = lazyPart(() => import('./list-dialog.tsx'));
const SnippetDialog = lazyPart(() => import('../snippets/snippet-dialog.tsx'));
const VoiceDialog = lazyPart(() => import('../voice/voice-dialog.tsx'), null);
const SnippetsDialog = lazyPart(() => import('../snippets/snippets-dialog.tsx'));

/** A tool that has a form of its own. */
export interface OpenedTool {
  readonly kind: 'poll' | 'todo' | 'time' | 'new-snippet' | 'snippets' | 'gif' | 'voice';
  /** Where the user typed the opening of a time, which the chosen time replaces. */
  readonly from?: number;
  /** What the picker of GIFs searches at first. */
  readonly query?: string;
}

/** What the menu of tools needs. */
export interface ToolMenuProps {
  readonly session: LiveSession;
  readonly onOpen: (tool: OpenedTool) => void;
}

interface ToolDialogsProps {
  readonly opened: OpenedTool;
  readonly session: LiveSession;
  readonly onClose: () => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly send: Send;
}

/** The form of the tool that the user chose. */
export function ToolDialogs(props: ToolDialogsProps): ReactNode {
  const { opened, session, onClose, onFiles, send } = props;
  const { kind, from, query } = opened;
  const { text } = session;
  const close = (isOpen: boolean): void => {
    if (!isOpen) onClose();
  };
  /** The dialog returns the focus in the frame after it has gone. It must have gone by then: it lets no field outside of it have the focus. */
  const closeThen = (act: () => void): void => {
    flushSync(onClose);
    requestAnimationFrame(act);
  };
  const insert = (content: string): void =>
    closeThen(() => {
      text.focus();
      const isTyped = from !== undefined && text.value.startsWith(TIME_OPENING, from);
      if (!isTyped) {
        text.insert(content);
        return;
      }
      const to = from + TIME_OPENING.length;
      // A space that is there already is not doubled.
      text.apply({ from, to, text: text.value.charAt(to) === ' ' ? content.trimEnd() : content });
    });
  const insertGif = (link: string): void =>
    closeThen(() => {
      insertOnOwnLine(session, link);
      text.focus();
    });
  switch (kind) {
    case 'time':
      return <TimeDialog onOpenChange={close} onInsert={insert} />;
    case 'gif':
      return <GifDialog initialQuery={query} onOpenChange={close} onInsert={insertGif} />;
    case 'voice': {
      // An edit changes a message, so the recording only joins it.
      const joinsText = !text.isEmpty || session.replaceText === undefined;
      const add = (file: File): void => {
        onClose();
        onFiles([file]);
        if (!joinsText) send();
      };
      return <VoiceDialog onOpenChange={close} onRecorded={add} joinsText={joinsText} />;
    }
    case 'new-snippet':
      return <SnippetDialog initialContent={text.value.trim()} onOpenChange={close} />;
    case 'snippets':
      return <SnippetsDialog onOpenChange={close} onInsert={({ content }) => insert(content)} />;
    default:
      return <ListDialog kind={kind} session={session} onOpenChange={close} />;
  }
}
