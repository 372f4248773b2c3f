import { backupCommands } from './backup.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { importCommands } from './import.ts';
import { jobCommands } from './job.ts';
import { migrateCommand } from './migrate.ts';
import { openApiCommand } from './openapi.ts';
import { organizationCommands } from './org.ts';
import { restoredCommand } from './restored.ts';
import { serveCommand } from './serve.ts';
import { userCommands } from './user.ts';

/** All commands, in the order of the help. */
export const allCommands: readonly Command[] = [
  serveCommand,
  ...organizationCommands,
  ...userCommands,
  ...jobCommands,
  migrateCommand,
  doctorCommand,
  ...backupCommands,
  restoredCommand,
  exportCommand,
  ...importCommands,
  openApiCommand,
];
