/**
 * The published form of the server: JavaScript without types, the web app, documents and deployment files, and one package.json. Node.js runs no
 * TypeScript below `node_modules`.
 */
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { targetOf } from '../checks/import-graph.ts';

const root = join(import.meta.dirname, '..', '..');

/** The workspaces that the server consists of. */
const WORKSPACES = ['api', 'embedded-postgres', 'operator', 'server'];
/** Only tests load these. */
const FOR_TESTS = /(^|\/)testing\/|\.test\.ts$|(^|\/)(isolation-probes|access-rows)\.ts$/;
/** Sources, the recorded requests that integrations show as examples, and the translations. */
const SOURCES = [
  'src/**/*.{ts,sql,txt,png}',
  'src/features/incoming-webhooks/integrations/*/payloads/*.json',
  'locales/*/*.json',
];
/** What the package has besides code. */
const BESIDE = ['LICENSE', 'CHANGELOG.md', 'docs/operate.md', 'docs/cluster.md', 'docs/settings.md', 'deploy'];

const PROGRAM = `#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=64 --expose-gc
// An older Node.js would end with the name of a module that it does not have.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(\`Heddle needs Node.js 24 or newer. This is \${process.version}.\`);
  process.exit(1);
}
await import('../operator/src/main.js');
`;

interface Manifest {
  readonly version: string;
  readonly description?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Writes the package to a directory, which it replaces.
 * @param webApp the directory of a build of the web app
 */
export async function buildServer(directory: string, webApp: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  for (const workspace of WORKSPACES) {
    for await (const path of glob(
      SOURCES.map((path) => `${workspace}/${path}`),
      { cwd: root },
    )) {
      if (!FOR_TESTS.test(path)) await writeSource(directory, path.replaceAll('\\', '/'));
    }
  }
  await cp(webApp, join(directory, 'web', 'dist', 'current'), { recursive: true, dereference: true });
  for (const path of BESIDE) await cp(join(root, path), join(directory, path), { recursive: true });
  await cp(join(root, 'deploy', 'package-readme.md'), join(directory, 'README.md'));
  await write(join(directory, 'bin', 'heddle.js'), PROGRAM, 0o755);
  await write(join(directory, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
}

async function writeSource(directory: string, path: string): Promise<void> {
  if (!path.endsWith('.ts')) return cp(join(root, path), join(directory, path));
  const text = await readFile(join(root, path), 'utf8');
  await write(join(directory, path.replace(/\.ts$/, '.js')), javaScriptOf(path, text));
}

/** A specifier of a file of ours, in an import or an export. */
const SPECIFIER = /(?<=\b(?:from|import)\s*\(?\s*)'((?:\.|@heddle\/)[^'\n]*)'/g;

/** The types become spaces, so lines and columns of errors stay. Imports name JavaScript, by relative paths. */
function javaScriptOf(path: string, text: string): string {
  return stripTypeScriptTypes(text).replaceAll(SPECIFIER, (whole, specifier: string) => {
    const target = targetOf(path, specifier);
    if (target === undefined || !target.endsWith('.ts')) return whole;
    const relative = posix.relative(posix.dirname(path), target).replace(/\.ts$/, '.js');
    return `'${relative.startsWith('.') ? relative : `./${relative}`}'`;
  });
}

async function manifest() {
  const manifests = await Promise.all(WORKSPACES.map((workspace) => readManifest(`${workspace}/package.json`)));
  const all = (kind: 'dependencies' | 'optionalDependencies') =>
    Object.fromEntries(
      manifests
        .flatMap((each) => Object.entries(each[kind] ?? {}))
        .filter(([name]) => !name.startsWith('@heddle/'))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  const { version, description, license } = await readManifest('package.json');
  return {
    name: 'heddle',
    version,
    description,
    license,
    type: 'module',
    bin: { heddle: 'bin/heddle.js' },
    engines: { node: '>=24' },
    dependencies: all('dependencies'),
    optionalDependencies: all('optionalDependencies'),
  };
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, path), 'utf8'));
}

async function write(path: string, content: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode });
}
