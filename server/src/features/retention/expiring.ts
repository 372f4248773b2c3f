import { setTimeout as after } from 'node:timers/promises';
import type { Organization } from '../../directory/organization.ts';
import { deleteWithin } from '../../domain/editing/deleting/actions.ts';
import type { AppContext } from '../../extension/app-context.ts';
import {
  expiredDirect,
  expiredInChannels,
  lockDirect,
  lockExpired,
  noteDirect,
  organizationsWithPolicies,
} from './expired.ts';

export interface ExpiringOptions {
  /** The current time. Messages that are expired by then are deleted. */
  readonly at: Date;
  /** After an abort no further commit starts. */
  readonly signal: AbortSignal;
}

type ExpiringContext = Pick<AppContext, 'db' | 'organizations'>;

/**
 * Deletes expired messages as if a user had deleted them (`domain/editing/deleting`): some hundred messages per commit, and after each a pause as
 * long as the commit. Organizations take turns. Several processes may do this at once, and an interruption leaves no partial message.
 * @throws the last failure, after everything else is done
 */
export async function deleteExpired(app: ExpiringContext, { at, signal }: ExpiringOptions): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  let left = await organizationsWithPolicies(app.db);
  while (left.length > 0) {
    const notDone: number[] = [];
    for (const id of left) {
      if (signal.aborted) break;
      const began = performance.now();
      try {
        if (!(await deleteSome(app, id, at))) continue;
      } catch (error) {
        failure = { error };
        continue;
      }
      notDone.push(id);
      await after(performance.now() - began);
    }
    left = notDone;
  }
  if (failure !== undefined) throw failure.error;
}

/** Returns whether there may be more. */
async function deleteSome(app: ExpiringContext, organizationId: number, at: Date): Promise<boolean> {
  const inChannels = await deleteInChannels(app, organizationId, at);
  const direct = await deleteDirect(app, organizationId, at);
  return inChannels || direct;
}

async function deleteInChannels(app: ExpiringContext, organizationId: number, at: Date): Promise<boolean> {
  const found = await expiredInChannels(app.db, organizationId, at);
  if (found.length === 0) return false;
  const organization = await organizationOf(app, organizationId);
  return organization.transact('server', 'optimistic', async (change) => {
    // Meanwhile they may have moved, or their policy may have changed.
    const ids = await lockExpired(change.db, organizationId, found, at);
    if (ids.length > 0) await deleteWithin(change, ids);
    return ids.length > 0;
  });
}

async function deleteDirect(app: ExpiringContext, organizationId: number, at: Date): Promise<boolean> {
  const found = await expiredDirect(app.db, organizationId, at);
  if (found === undefined) return false;
  if (found.messageIds.length === 0) {
    if (found.through === found.before) return false;
    await noteDirect(app.db, organizationId, found.through);
    return true;
  }
  const organization = await organizationOf(app, organizationId);
  return organization.transact('server', 'optimistic', async (change) => {
    // Meanwhile the policy may have changed.
    const now = await expiredDirect(change.db, organizationId, at);
    if (now === undefined) return false;
    const ids = await lockDirect(change.db, organizationId, now.messageIds);
    if (ids.length > 0) await deleteWithin(change, ids);
    await noteDirect(change.db, organizationId, now.through);
    return true;
  });
}

async function organizationOf({ organizations }: ExpiringContext, id: number): Promise<Organization> {
  const organization = await organizations.byId(id);
  if (organization === undefined) throw new Error(`organization ${id} has a policy, and is not there`);
  return organization;
}
