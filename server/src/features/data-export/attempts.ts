import * as endpoints from '@heddle/api/endpoints/exports.ts';
import { type Attempts, attemptsOn, type Victim } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner }) => {
  const { id } = await madeExport(owner);
  return [
    attemptsOn(endpoints.getExports, { contained: [{}] }),
    attemptsOn(endpoints.createExport, { contained: [{ export_type: 1 }] }),
    attemptsOn(endpoints.deleteExport, { refused: [{ export_id: id }] }),
    attemptsOn(endpoints.downloadExport, { refused: [{ export_id: id, filename: 'export.zip' }] }),
  ];
};

/** An export with its archive: its events say when it is there. */
async function madeExport(owner: Victim['owner']): Promise<Readonly<Record<string, unknown>>> {
  const { queue_id } = await owner.ok('POST', '/register', { event_types: ['realm_export'], fetch_event_types: [] });
  const { id } = await owner.ok('POST', '/export/realm');
  for (let last = -1; ; ) {
    const { events } = await owner.ok('GET', '/events', { queue_id, last_event_id: last });
    for (const event of events as readonly { id: number; exports?: readonly { id: number; pending: boolean }[] }[]) {
      last = event.id;
      const made = event.exports?.find((one) => one.id === id && !one.pending);
      if (made !== undefined) return made;
    }
  }
}
