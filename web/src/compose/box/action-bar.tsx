import { memo, type ReactNode, useCallback, useDeferredValue, useRef } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatNumber } from '../../base/i18n-formats.ts';
import { isApple } from '../../base/keyboard.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { classes } from '../../design/classes.ts';
import { IconButton, IconToggle } from '../../design/icon-button.tsx';
import { AttachIcon, SendIcon, ShowIcon } from '../../design/icons.ts';
import type { ComposeSession } from '../drafts/session.ts';
import { SendMenu } from '../scheduling/send-menu.tsx';
import type { Send } from '../sending/sending.ts';
import { composeShortcuts } from '../shortcuts.ts';
import { SnippetsMenu } from '../snippets/snippets-menu.tsx';
import { EmojiButton } from '../tools/emoji-button.tsx';
import { FormatMenu, FormatTools } from '../tools/format-tools.tsx';
import { InsertMenu } from '../tools/insert-menu.tsx';
import { VideoCallButton } from '../tools/video-call-button.tsx';
import styles from './action-bar.module.css';

interface ActionBarProps {
  /** The same as long as the session is. Menus and dialogs end with it. */
  readonly id: string;
  readonly session: ComposeSession;
  readonly send: Send;
  /** Why the message cannot be sent now. */
  readonly obstacle: string | undefined;
  /** Whether the user cannot write here at all. */
  readonly isBlocked: boolean;
  readonly isPreviewing: boolean;
  readonly onPreview: (isPreviewing: boolean) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The tools below the text, and the button that sends. */
export function ActionBar(props: ActionBarProps): ReactNode {
  const { id, session, send, obstacle, isBlocked, isPreviewing, onPreview, onFiles } = props;
  // The messages of another conversation appear first, and its menus in the next frame.
  const lateId = useDeferredValue(id);
  const lateSession = useDeferredValue(session);
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
          isDisabled={session.text.isEmpty && !isPreviewing}
        />
      </div>
      <Counter length={session.text.value.length} text={session.text.value} />
      {!session.text.isEmpty && <SendHint />}
      <div className={styles.send}>
        <SendMenu
          key={`later ${lateId}`}
          session={lateSession}
          isDisabled={session.text.isEmpty || obstacle !== undefined}
        />
        <IconButton
          icon={SendIcon}
          isPrimary
          label={obstacle ?? t('Send')}
          shortcut={composeShortcuts.send}
          isDisabled={session.text.isEmpty || isBlocked}
          onPress={() => {
            if (send()) session.text.focus();
          }}
        />
      </div>
    </div>
  );
}

/** What edits the text. It renders for another conversation, not while the user writes. */
const Tools = memo(function Tools({
  id,
  session,
  onFiles,
}: Pick<ActionBarProps, 'id' | 'session' | 'onFiles'>): ReactNode {
  return (
    <>
      <AttachButton onFiles={onFiles} />
      <EmojiButton key={`emoji ${id}`} text={session.text} />
      <span className={styles.wide}>
        <span className={styles.separator} />
        <FormatTools text={session.text} />
        <span className={styles.separator} />
      </span>
      <span className={styles.narrow}>
        <FormatMenu text={session.text} />
      </span>
      <InsertMenu key={`insert ${id}`} session={session} />
      <SnippetsMenu key={`snippets ${id}`} text={session.text} />
      <VideoCallButton key={`call ${id}`} session={session} />
    </>
  );
});

function AttachButton({ onFiles }: Pick<ActionBarProps, 'onFiles'>): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const pick = useCallback(() => input.current?.click(), []);
  useShortcut(composeShortcuts.attach, pick);
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

/** Which key sends. Newcomers expect that Enter does, and it begins a new line until they choose so in the settings. */
function SendHint(): ReactNode {
  const { enter_sends: sendsOnEnter } = useModel().account.settings;
  if (sendsOnEnter) return <span className={styles.hint}>{t('Enter sends')}</span>;
  return <span className={styles.hint}>{isApple ? t('⌘ Enter sends') : t('Ctrl+Enter sends')}</span>;
}

/** The length of the text, in the last tenth of the limit. */
function Counter({ text, length }: { readonly text: string; readonly length: number }): ReactNode {
  const limit = useModel().organization.limits.message_length;
  if (length < limit * 0.9) return null;
  const characters = [...text].length;
  return (
    <span className={classes(styles.count, characters > limit && styles.over)}>
      {t('{length} of {limit} characters', { length: formatNumber(characters), limit: formatNumber(limit) })}
    </span>
  );
}
