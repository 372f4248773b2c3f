import { Archive } from '@heddle/client/session/archive.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useApp } from '../base/app.tsx';
import { followPush } from '../notifications/push.ts';
import { followWorker } from './follow-worker.ts';
import { followArchive } from './offline-archive.ts';

/** What the app does when the first view is complete and the browser is idle. It has no view. */
export default function Background(): ReactNode {
  const app = useApp();
  const { model, navigation, session } = app;
  // Without an account, the browser keeps nothing.
  const hasAccount = !model.account.isSpectator;
  const [archive] = useState(() => new Archive({ url: window.location.origin, userId: model.ownId }));
  useEffect(() => (hasAccount ? followWorker({ navigation, session }) : undefined), [hasAccount, navigation, session]);
  useEffect(() => (hasAccount ? followPush(app) : undefined), [hasAccount, app]);
  useEffect(() => (hasAccount ? followArchive(app, archive) : undefined), [hasAccount, app, archive]);
  return null;
}
