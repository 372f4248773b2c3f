/** The command line. `npm run -s heddle -- --help` explains it. */
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { runCommandLine } from './commands/command-line.ts';
import { dropJobCommand, failedJobsCommand, retryJobCommand } from './commands/job.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openApiCommand } from './commands/openapi.ts';
import { createOrganizationCommand, listOrganizationsCommand, renameOrganizationCommand } from './commands/org.ts';
import { restoredCommand } from './commands/restored.ts';
import { serveCommand } from './commands/serve.ts';
import {
  allowUserCommand,
  apiKeyCommand,
  createUserCommand,
  deactivateUserCommand,
  forbidUserCommand,
  listUsersCommand,
  reactivateUserCommand,
  setPasswordCommand,
  setRoleCommand,
} from './commands/user.ts';

const commands = [
  serveCommand,
  createOrganizationCommand,
  listOrganizationsCommand,
  renameOrganizationCommand,
  listUsersCommand,
  createUserCommand,
  apiKeyCommand,
  setPasswordCommand,
  setRoleCommand,
  deactivateUserCommand,
  reactivateUserCommand,
  allowUserCommand,
  forbidUserCommand,
  failedJobsCommand,
  retryJobCommand,
  dropJobCommand,
  migrateCommand,
  backupCommand,
  restoreCommand,
  restoredCommand,
  openApiCommand,
];

const { stdout: out, stderr: err, stdin: input, env: environment } = process;
// The reader of the output may be gone (`npm start | head`). The server continues without it, and still stops in order.
for (const output of [out, err]) output.on('error', () => {});
const code = await runCommandLine(commands, process.argv.slice(2), { out, err, input, environment });
// Ends the process after all output is written, even if something is still open.
out.write('', () => err.write('', () => process.exit(code)));
