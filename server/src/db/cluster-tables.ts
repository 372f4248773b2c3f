/** The table of the processes that share the database: a part of `schema.ts`. */
export interface ServerProcessesTable {
  /** The address on which the process listens, or the name of its machine, with the port. */
  node: string;
  /** The number of the worker; 0: the server has one process. */
  worker: number;
  /** By the clock of the database, like the next one. */
  started_at: Date;
  reported_at: Date;
  /** The last question over the bus that it has heard. */
  heard: string | null;
  /** `ProcessReport` in `monitoring/process-reports.ts`, of any release. */
  report: unknown;
}
