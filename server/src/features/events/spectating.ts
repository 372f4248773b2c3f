import type { Parameters } from '@heddle/api/contract.ts';
import type { registerQueue } from '@heddle/api/endpoints/events.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { checkSpectatorsLetIn } from '../../access/spectators.ts';
import type { Organization } from '../../directory/organization.ts';
import { isSelected, type StatePart } from '../../extension/initial-state.ts';
import type { QueueSettings } from '../../log/queue.ts';
import type { State } from './register.ts';

/**
 * Refuses what accounts may ask for and spectators may not.
 * @throws ApiError `UNAUTHORIZED` if the organization has no spectators, `BAD_REQUEST`
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
  /** The types whose state the client wants; null for all. */
  readonly types: readonly string[] | null;
  readonly stateParts: readonly StatePart[];
}

/**
 * The initial state for spectators. They get no queue, because they receive no events.
 * @throws ApiError `UNAUTHORIZED` if the organization has no spectators
 */
export function spectatorState({ organization, settings, types, stateParts }: Spectating): Promise<State> {
  return organization.read(undefined, async ({ db, directory }) => {
    const context = { directory, settings };
    const built: (() => object)[] = [];
    for (const part of stateParts) {
      const { spectators } = part;
      if (spectators === undefined || !isSelected(part, types)) continue;
      const rows = await spectators.query?.(db, context);
      built.push(() => spectators.build(context, rows));
    }
    // All parts are built synchronously after the last await, so they show one state of the directory.
    checkSpectatorsLetIn(directory);
    return Object.assign({}, ...built.map((build) => build()));
  });
}
