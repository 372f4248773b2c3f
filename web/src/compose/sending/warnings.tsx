import { type ReactNode, useEffect, useRef, useState } from 'react';
import { toasts } from '../../base/toasts.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { problemText } from '../../shown/problem-text.ts';
import styles from '../compose.module.css';
import type { ComposeSession } from '../drafts/session.ts';
import type { Send } from './sending.ts';
import type { Warning, WarningAction } from './warning.ts';

interface WarningsProps {
  readonly warnings: readonly Warning[];
  readonly session: ComposeSession;
  readonly send: Send;
}

/** The warnings above the text, with what the user can do. */
export function Warnings({ warnings, session, send }: WarningsProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const { attempts } = session;
  // An attempt to send moves the focus to the question, so that Enter answers it.
  useEffect(() => {
    if (attempts > 0) list.current?.querySelector('button')?.focus();
  }, [attempts]);
  if (warnings.length === 0) return null;
  return (
    <div ref={list} className={styles.warnings}>
      {warnings.map((warning) => (
        <WarningBanner key={warning.key} warning={warning} session={session} send={send} />
      ))}
    </div>
  );
}

interface WarningBannerProps extends Omit<WarningsProps, 'warnings'> {
  readonly warning: Warning;
}

function WarningBanner({ warning, session, send }: WarningBannerProps): ReactNode {
  const { key, text, actions = [], isDismissable = false, blocksWriting = false } = warning;
  // The user has done nothing wrong if this is no place to write.
  const kind = blocksWriting ? 'info' : warning.kind;
  const [isPending, setPending] = useState(false);
  const run = async ({ run, sends = false }: WarningAction): Promise<void> => {
    setPending(true);
    try {
      await run();
      session.dismiss(key);
      if (sends) send();
      session.text.focus();
    } catch (error) {
      toasts.show({ kind: 'error', text: problemText(error) });
    } finally {
      setPending(false);
    }
  };
  const dismiss = (): void => {
    session.dismiss(key);
    session.text.focus();
  };
  const buttons = actions.map((action) => (
    <Button key={action.label} size="small" isPending={isPending} onPress={() => void run(action)}>
      {action.label}
    </Button>
  ));
  return (
    <Banner kind={kind} action={buttons} {...(isDismissable && { onDismiss: dismiss })}>
      {text}
    </Banner>
  );
}
