import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from '../compose.module.css';
import type { LiveSession } from '../drafts/live-sessions.ts';
import type { Send } from '../sending/sending.ts';
import { markdownOfHtml } from '../text/html-to-markdown.ts';
import { newLine, pastedLink } from '../text/markdown-edits.ts';
import { timeOpeningAt } from '../typeahead/trigger.ts';
import { TypeaheadList } from '../typeahead/typeahead.tsx';
import { useTypeahead } from '../typeahead/use-typeahead.ts';

interface FieldProps {
  readonly session: LiveSession;
  readonly label: string;
  readonly placeholder: string | undefined;
  /** Whether Enter alone sends. Ctrl or Cmd with Enter always does. */
  readonly sendsOnEnter: boolean;
  readonly send: Send;
  readonly onFiles: (files: readonly File[]) => void;
  /** The user typed `<time`, which begins there. */
  readonly onTime: (from: number) => void;
}

/** Kinds of input that add a character. */
const TYPING = /^insert(?:Composition)?Text$/;

/** The textarea with its suggestions. A key press renders nothing of React unless the suggestions change. */
export function Field({ session, label, placeholder, sendsOnEnter, send, onFiles, onTime }: FieldProps): ReactNode {
  const { text } = session;
  const element = useRef<HTMLTextAreaElement>(null);
  const typeahead = useTypeahead(text, session.place);
  const { state } = typeahead;
  useLayoutEffect(() => (element.current === null ? undefined : text.attach(element.current)), [text]);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Enter that ends an input method's composition is no command.
    if (event.nativeEvent.isComposing) return;
    if (state.handleKey(event.nativeEvent)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key !== 'Enter' || event.altKey) return;
    const sends = event.ctrlKey || event.metaKey || (sendsOnEnter && !event.shiftKey);
    const edit = sends ? undefined : newLine(text.value, text.selection);
    if (!sends && edit === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (edit !== undefined) text.apply(edit);
    else send();
  };
  return (
    <div className={styles.field}>
      <textarea
        ref={element}
        className={styles.text}
        aria-label={label}
        placeholder={placeholder}
        rows={1}
        spellCheck
        dir="auto"
        onInput={({ nativeEvent }) => {
          text.edited();
          state.update();
          const { start, end } = text.selection;
          const isTyped = nativeEvent instanceof InputEvent && TYPING.test(nativeEvent.inputType);
          const from = isTyped && start === end ? timeOpeningAt(text.value, end) : undefined;
          if (from !== undefined) onTime(from);
        }}
        onSelect={() => state.moved()}
        onBlur={() => state.close()}
        onKeyDown={onKeyDown}
        onPaste={(event) => paste(event, session, onFiles)}
        aria-autocomplete="list"
        aria-haspopup="listbox"
      />
      <TypeaheadList typeahead={typeahead} field={element} />
    </div>
  );
}

/** Files are uploaded, a URL over selected text makes a link, and formatted text becomes Markdown. */
function paste(event: ClipboardEvent, { text }: LiveSession, onFiles: FieldProps['onFiles']): void {
  const { clipboardData } = event;
  const files = [...clipboardData.files];
  const plain = clipboardData.getData('text/plain');
  const html = clipboardData.getData('text/html');
  // Spreadsheets and word processors also offer a picture of the text.
  if (files.length > 0 && plain === '') {
    event.preventDefault();
    onFiles(files);
    return;
  }
  const edit = pastedLink(text.value, text.selection, plain.trim());
  if (edit !== undefined) {
    event.preventDefault();
    text.apply(edit);
    return;
  }
  const markdown = html === '' ? undefined : markdownOfHtml(html);
  if (markdown === undefined || markdown === plain) return;
  event.preventDefault();
  text.insert(markdown);
}
