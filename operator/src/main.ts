/** The command line. `npm run -s heddle -- --help` explains it. */
import { allCommands } from './commands/all-commands.ts';
import { runCommandLine } from './commands/command-line.ts';

const { stdout: out, stderr: err, stdin: input, env: environment } = process;
// The reader of the output may be gone (`npm start | head`). The server continues without it, and still stops in order.
for (const output of [out, err]) output.on('error', () => {});
const code = await runCommandLine(allCommands, process.argv.slice(2), { out, err, input, environment, host: process });
// Ends the process after all output is written, even if something is still open.
out.write('', () => err.write('', () => process.exit(code)));
