/** A small app in a directory of its own, for tests of the build. Its configuration is that of the real app. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const repository = join(import.meta.dirname, '..', '..', '..');

const FILES: Readonly<Record<string, string>> = {
  'package-lock.json': '{}\n',
  'web/index.html': `<!doctype html>
<html lang="en">
  <head>
    <title>__TITLE__</title>
    <script type="application/json" id="start">"__START__"</script>
    <script type="module" src="/src/main.ts"></script>
  </head>
</html>
`,
  'web/src/main.ts': `import './base/early.ts';\nimport { greeting } from '../../client/src/greeting.ts';\ndocument.title = greeting;\n`,
  'web/src/main.test.ts': '',
  'web/src/base/early.ts': `document.documentElement.lang = 'en';\nexport {};\n`,
  'client/src/greeting.ts': `export const greeting: string = 'hello';\n`,
  'api/src/types.ts': '',
  'web/vite.config.ts': `import { webConfig } from ${JSON.stringify(pathToFileURL(join(repository, 'web', 'vite.config.ts')).href)};
export default webConfig(import.meta.dirname);
`,
};

export interface SampleApp {
  /** The root of the directory, as the root of the repository. */
  readonly root: string;
  write(path: string, content: string): Promise<void>;
  remove(): Promise<void>;
}

export async function makeSampleApp(): Promise<SampleApp> {
  const root = await mkdtemp(join(tmpdir(), 'heddle-sample-app-'));
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  };
  for (const [path, content] of Object.entries(FILES)) await write(path, content);
  await cp(join(repository, 'web', 'icons'), join(root, 'web', 'icons'), { recursive: true });
  return { root, write, remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }) };
}
