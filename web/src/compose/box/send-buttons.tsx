import { type ReactNode, useDeferredValue } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { isApple } from '../../base/keyboard.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { SendIcon } from '../../design/icons.ts';
import { commandOf } from '../commands/commands.ts';
import type { ComposeSession } from '../drafts/session.ts';
import { SendMenu } from '../scheduling/send-menu.tsx';
import type { Send } from '../sending/sending.ts';
import { composeShortcuts } from '../shortcuts.ts';
import styles from './toolbar.module.css';

interface SendButtonsProps {
  readonly id: string;
  readonly session: ComposeSession;
  readonly send: Send;
  /** Why the message cannot be sent now. */
  readonly obstacle: string | undefined;
  /** The element with the reason, if it stands beside the button. */
  readonly reasonId: string;
  /** Whether the user cannot write here at all. */
  readonly isBlocked: boolean;
  /** Whether the text waits for files. The server cannot do that. */
  readonly isUploading: boolean;
}

/** The buttons that send, now and later. */
export function SendButtons({
  id,
  session,
  send,
  obstacle,
  reasonId,
  isBlocked,
  isUploading,
}: SendButtonsProps): ReactNode {
  const lateId = useDeferredValue(id);
  const lateSession = useDeferredValue(session);
  const { text } = session;
  return (
    <>
      {!text.isEmpty && <SendHint />}
      <div className={styles.send}>
        <SendMenu
          key={`later ${lateId}`}
          session={lateSession}
          isDisabled={text.isEmpty || obstacle !== undefined || isUploading}
          isCommand={commandOf(text.value) !== undefined}
        />
        <IconButton
          icon={SendIcon}
          isPrimary
          label={t('Send')}
          shortcut={composeShortcuts.send}
          isDisabled={text.isEmpty || isBlocked}
          // It keeps its name, and can have the focus: a press says what is missing.
          aria-disabled={obstacle !== undefined}
          aria-describedby={reasonId}
          onPress={() => {
            if (send()) text.focus();
          }}
        />
      </div>
    </>
  );
}

/** Which key sends. Newcomers expect that Enter does, and it begins a new line until they choose so in the settings. */
function SendHint(): ReactNode {
  const { enter_sends: sendsOnEnter } = useModel().account.settings;
  if (sendsOnEnter) return <span className={styles.hint}>{t('Enter sends')}</span>;
  return <span className={styles.hint}>{isApple ? t('⌘ Enter sends') : t('Ctrl+Enter sends')}</span>;
}
