import { updateOwnStatus } from '@heddle/client/calls/operations.ts';
import { useEffect } from 'react';
import { useApp } from '../base/app.tsx';
import { useChangesOf } from '../base/use-changes.ts';
import { useMinute } from '../base/use-minute.ts';
import { statusParameters } from './status-choices.ts';
import { forgetPastEnd, statusEnd } from './status-end.ts';

/** Clears the own status at its end. It tries again every minute, for example until the app is online. */
export function useStatusEnd(): void {
  const { model, connection } = useApp();
  const { ownId } = model;
  useChangesOf(model.statuses.changesOf, ownId);
  const now = useMinute();
  const status = model.statuses.of(ownId);
  const end = statusEnd(ownId, status)?.getTime();
  const isOver = end !== undefined && end <= now;
  // Each minute is another attempt.
  useEffect(() => {
    if (isOver) updateOwnStatus(connection, statusParameters({ text: '', emoji: null })).catch(() => undefined);
    else forgetPastEnd(ownId, status, now);
  }, [isOver, now, connection, ownId, status]);
}
