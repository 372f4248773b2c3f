/** `npm run package`: makes `dist/heddle-<version>.tgz`, which runs without the repository. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildServer } from './server-package/build.ts';
import { ensureWebBuild } from './web-build/ensure.ts';

const dist = join(import.meta.dirname, '..', 'dist');
const directory = join(dist, 'package');

await mkdir(dist, { recursive: true });
await buildServer(directory, await ensureWebBuild({ onBegin: () => process.stderr.write('Building the web app…\n') }));
const child = spawn('npm', ['pack', '--pack-destination', dist], { cwd: directory, stdio: 'inherit' });
const [code] = await once(child, 'close');
process.exitCode = code === null ? 1 : code;
