import { NO_QUIET_HOURS, type QuietHours, selectQuietHours } from '../../domain/notifications/quiet-hours/queries.ts';
import { statePart } from '../../extension/initial-state.ts';

/** Other clients do not know the field. Nobody notifies spectators. */
export const quietHoursState = statePart<QuietHours | null>({
  types: ['quiet_hours'],
  select: ({ organizationId, userId }) => selectQuietHours(organizationId, userId),
  build: ({ settings: { capabilities } }, hours) =>
    capabilities.quietHours ? { quiet_hours: hours ?? NO_QUIET_HOURS } : {},
});
