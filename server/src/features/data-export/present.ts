import type { dataExport } from '@heddle/api/objects/data-export.ts';
import type { Static } from 'typebox';
import type { ExportRow } from './queries.ts';

export type DataExport = Static<typeof dataExport>;

/** @param base the URL of the organization */
export function presentExport(row: ExportRow, base: string): DataExport {
  const hasArchive = row.completed_at !== null && row.deleted_at === null;
  return {
    id: row.id,
    acting_user_id: row.acting_user_id,
    export_time: seconds(row.requested_at),
    deleted_timestamp: row.deleted_at && seconds(row.deleted_at),
    failed_timestamp: row.failed_at && seconds(row.failed_at),
    export_url: hasArchive ? `${base}/user_exports/${row.id}/${archiveName(row)}` : null,
    pending: row.completed_at === null && row.failed_at === null,
    export_type: row.type,
  };
}

/** The name under which a browser saves the archive. */
export function archiveName({ id, requested_at, type }: ExportRow): string {
  const day = requested_at.toISOString().slice(0, 10);
  return `export-${id}-${type === 1 ? 'public' : 'full'}-${day}.zip`;
}

function seconds(time: Date): number {
  return time.getTime() / 1000;
}
