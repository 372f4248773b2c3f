import { useEffect } from 'react';
import { useApp } from '../base/app.tsx';
import { PresenceReporter } from './presence-reporter.ts';

/** Reports the own presence while the app is open. Spectators have none. */
export function usePresenceReports(): void {
  const app = useApp();
  useEffect(() => {
    if (app.model.account.isSpectator) return;
    const reporter = new PresenceReporter(app);
    reporter.start();
    return () => reporter.stop();
  }, [app]);
}
