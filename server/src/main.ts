/** The command line. `npm run -s heddle -- --help` explains it. */
import { runCommandLine } from './commands/command-line.ts';
import { dropJobCommand, failedJobsCommand, retryJobCommand } from './commands/job.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openApiCommand } from './commands/openapi.ts';
import { createOrganizationCommand, listOrganizationsCommand } from './commands/org.ts';
import { restoredCommand } from './commands/restored.ts';
import { serveCommand } from './commands/serve.ts';
import {
  allowUserCommand,
  apiKeyCommand,
  createUserCommand,
  deactivateUserCommand,
  forbidUserCommand,
  setPasswordCommand,
  setRoleCommand,
} from './commands/user.ts';

const commands = [
  serveCommand,
  createOrganizationCommand,
  listOrganizationsCommand,
  createUserCommand,
  apiKeyCommand,
  setPasswordCommand,
  setRoleCommand,
  deactivateUserCommand,
  allowUserCommand,
  forbidUserCommand,
  failedJobsCommand,
  retryJobCommand,
  dropJobCommand,
  migrateCommand,
  restoredCommand,
  openApiCommand,
];

const { stdout: out, stderr: err, stdin: input, env: environment } = process;
// Whoever reads them may have gone (`npm start | head`): a server goes on without, and ends in order when it is asked to.
for (const output of [out, err]) output.on('error', () => {});
const code = await runCommandLine(commands, process.argv.slice(2), { out, err, input, environment });
// Ends whatever is still open, once all that was said is out.
out.write('', () => err.write('', () => process.exit(code)));
