import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkInterfaceRules, RULES_DOCUMENT } from './checks/interface-rules.ts';
import { readSources } from './checks/source.ts';

const root = join(import.meta.dirname, '..');

const usage = `Usage: npm run rules -- [options] [section or rule id]…

Lists rules of ${RULES_DOCUMENT} with the tests that name them. 'send' selects all rules of a section, 'send-3' one rule.

  --help  show this text
`;

/** Prints the selected rules with their tests. Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg.startsWith('-'))) {
    process.stdout.write(usage);
    return args.includes('--help') ? 0 : 2;
  }
  const document = await readFile(join(root, RULES_DOCUMENT), 'utf8');
  const { rules, tests } = checkInterfaceRules(document, await readSources(root));
  const selected = rules.filter(({ id }) => {
    return args.length === 0 || args.includes(id) || args.includes(id.slice(0, id.lastIndexOf('-')));
  });
  for (const { id, text } of selected) {
    process.stdout.write(`${id}: ${text}\n`);
    for (const { path, line, name } of tests.get(id) ?? []) process.stdout.write(`  ${path}:${line}: ${name}\n`);
  }
  if (selected.length > 0) return 0;
  process.stderr.write('No rule is selected.\n');
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
