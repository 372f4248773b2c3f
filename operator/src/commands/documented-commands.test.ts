import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '@heddle/server/testing/server/command-line.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const DOCUMENTS = ['README.md', 'docs/import.md', 'docs/operate.md', 'docs/cluster.md', 'deploy/package-readme.md'];

/** A command in a document, such as `heddle job retry --id ID`. It ends at the end of the line or of the code. */
const COMMAND = /(?:npm run -s heddle --|(?<![\w/.-])heddle|heddle\.js) ([a-z][^`#\n&|;]*)/g;
/** In the units of systemd and in prose, the name is no command. */
const NO_COMMAND = /systemctl|--(?:unit|tag|uid|owner)|podman|install|useradd/;

test('every command and option in the documents exists', async () => {
  const found = new Map<string, Set<string>>();
  for (const document of DOCUMENTS) {
    const text = await readFile(join(root, document), 'utf8');
    const code = [...text.matchAll(/```sh\n(.*?)```|`([^`\n]+)`/gs)].map(([, block, inline]) => block ?? inline ?? '');
    for (const line of code.flatMap((each) => each.split('\n'))) {
      for (const [match, command = ''] of line.matchAll(COMMAND)) {
        if (NO_COMMAND.test(line.slice(0, line.indexOf(match)))) continue;
        const words = /^[a-z-]+(?: (?:[a-z][a-z-]*)(?= |$))?/.exec(command)?.[0] ?? '';
        const options = found.get(words) ?? new Set();
        for (const [option] of command.matchAll(/--[a-z-]+/g)) options.add(option);
        found.set(words, options);
      }
    }
  }
  assert.ok(found.size > 15, [...found.keys()].join(', '));
  for (const [words, options] of found) {
    const { code, out, err } = await runCommand([...words.split(' '), '--help'], {});
    assert.equal(code, 0, `${words}: ${err}`);
    for (const option of options) assert.ok(out.includes(option), `heddle ${words} has no ${option}`);
  }
});
