import type { StopReason } from '@heddle/client/session/status.ts';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { loginAddress } from '../shown/login-link.tsx';
import { OfflineBanner } from './offline-banner.tsx';

/** A short interruption is not worth a notice, in milliseconds. */
const PATIENCE_MS = 3_000;

/** Says that the server cannot be reached, or that the session has ended, and what to do. */
export function ConnectionBanner(): ReactNode {
  const { session } = useApp();
  useSyncExternalStore(session.statusChanges.subscribe, session.statusChanges.read);
  const { status } = session;
  const isInterrupted = status.state === 'reconnecting' || status.state === 'offline';
  const isLong = useIsLong(isInterrupted);
  if (status.state === 'stopped') return <StoppedBanner reason={status.reason} />;
  if (!isInterrupted || !isLong) return null;
  return <OfflineBanner isOffline={status.state === 'offline'} />;
}

/** Says above the app why the session has ended, and what to do. */
function StoppedBanner({ reason }: { readonly reason: StopReason }): ReactNode {
  if (reason === 'stopped') return null;
  return (
    <Banner kind="error" isBar action={<StoppedButton reason={reason} />}>
      {stoppedText(reason)}
    </Banner>
  );
}

/** Why the session has ended. */
export function stoppedText(reason: StopReason): string {
  if (reason === 'deactivated') return t('Your account is deactivated. Ask an administrator of your organization.');
  if (reason === 'unsupported') return t('This version of the app does not fit the server. Reload the page.');
  return t('You are logged out.');
}

export function StoppedButton({ reason }: { readonly reason: StopReason }): ReactNode {
  return (
    <Button
      size="small"
      onPress={() => (reason === 'unsupported' ? window.location.reload() : window.location.assign(loginAddress()))}
    >
      {reason === 'unsupported' ? t('Reload') : t('Log in')}
    </Button>
  );
}

/** Whether `condition` has been true for some time. */
export function useIsLong(condition: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!condition) {
      setIsLong(false);
      return;
    }
    const timer = setTimeout(() => setIsLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [condition]);
  return isLong;
}
