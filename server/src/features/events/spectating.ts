import type { Parameters } from '@heddle/api/contract.ts';
import type { registerQueue } from '@heddle/api/endpoints/events.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { checkSpectatorsLetIn } from '../../access/spectators.ts';
import type { Organization } from '../../directory/organization.ts';
import type { QueueSettings } from '../../log/queue.ts';
import { isSelected, type StatePart } from '../initial-state.ts';
import type { State } from './register.ts';

/**
 * What accounts may ask for and spectators may not.
 * @throws ApiError `UNAUTHORIZED` where there are no spectators, `BAD_REQUEST`
 */
export function checkSpectatorMayAsk(organization: Organization, parameters: Parameters<typeof registerQueue>): void {
  checkSpectatorsLetIn(organization.directory);
  for (const key of ['client_gravatar', 'include_subscribers'] as const) {
    if (parameters[key]) throw badRequest(`Invalid '${key}' parameter for anonymous request`);
  }
}

interface Spectating {
  readonly organization: Organization;
  readonly settings: QueueSettings;
  /** The types whose state is wanted; null for all. */
  readonly types: readonly string[] | null;
  readonly stateParts: readonly StatePart[];
}

/**
 * The initial state as spectators get it: without a queue, since they hear of no events.
 * @throws ApiError `UNAUTHORIZED` where there are no spectators
 */
export function spectatorState({ organization, settings, types, stateParts }: Spectating): Promise<State> {
  return organization.readBy(undefined, async ({ db, directory }) => {
    const context = { directory, settings };
    const built: (() => object)[] = [];
    for (const part of stateParts) {
      const { spectators } = part;
      if (spectators === undefined || !isSelected(part, types)) continue;
      const rows = await spectators.query?.(db, context);
      built.push(() => spectators.build(context, rows));
    }
    // What is told is decided at one moment, after all waiting.
    checkSpectatorsLetIn(directory);
    return Object.assign({}, ...built.map((build) => build()));
  });
}
