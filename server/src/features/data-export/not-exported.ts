import { notExported, type TableExport } from '../../extension/exports.ts';

/** Tables below the features that no data export has. */
export const dataExportExports: readonly TableExport[] = [
  ...notExported(
    'the log of this server; the manifest has its position',
    'logs',
    'events',
    'counted_logs',
    'log_cursors',
  ),
  ...notExported('event queues of clients of this server', 'queues'),
  ...notExported('work of this server', 'jobs'),
  ...notExported('imports into this server that have not ended', 'imports'),
  ...notExported('exports are not part of an export', 'data_exports'),
];
