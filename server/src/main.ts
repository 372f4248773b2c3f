/** The command line. `npm run -s heddle -- --help` explains it. */
import { backupCommands } from './commands/backup.ts';
import { runCommandLine } from './commands/command-line.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { importCommands } from './commands/import.ts';
import { jobCommands } from './commands/job.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openApiCommand } from './commands/openapi.ts';
import { organizationCommands } from './commands/org.ts';
import { restoredCommand } from './commands/restored.ts';
import { serveCommand } from './commands/serve.ts';
import { userCommands } from './commands/user.ts';

const commands = [
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

const { stdout: out, stderr: err, stdin: input, env: environment } = process;
// The reader of the output may be gone (`npm start | head`). The server continues without it, and still stops in order.
for (const output of [out, err]) output.on('error', () => {});
const code = await runCommandLine(commands, process.argv.slice(2), { out, err, input, environment });
// Ends the process after all output is written, even if something is still open.
out.write('', () => err.write('', () => process.exit(code)));
