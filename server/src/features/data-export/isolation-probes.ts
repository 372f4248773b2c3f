import * as endpoints from '@heddle/api/endpoints/exports.ts';
import { type IsolationProbes, probesOf, type Victim } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner }) => {
  const { id } = await madeExport(owner);
  return [
    probesOf(endpoints.getExports, { contained: [{}] }),
    probesOf(endpoints.createExport, { contained: [{ export_type: 1 }] }),
    probesOf(endpoints.deleteExport, { refused: [{ export_id: id }] }),
    probesOf(endpoints.downloadExport, { refused: [{ export_id: id, filename: 'export.zip' }] }),
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
