import { importsOf, targetOf } from './import-graph.ts';
import type { Finding, SourceFile } from './source.ts';

/**
 * The layers that each layer can import, in addition to itself and packages. Imports only go down. A folder without a layer
 * is an error, so that someone chooses the layer of a new folder deliberately.
 */
const base = ['api', 'concurrency-limiter', 'config', 'languages', 'measures', 'time-spent', 'version'];
const layers: Readonly<Record<string, readonly string[]>> = {
  api: [],
  'concurrency-limiter': [],
  'embedded-postgres': [],
  config: [],
  languages: ['api'],
  measures: [],
  'time-spent': [],
  version: [],
  markup: ['api', 'time-spent'],
  http: base,
  pages: base,
  outbound: base,
  'worker-process': base,
  db: base,
  storage: [...base, 'db'],
  log: [...base, 'db'],
  directory: [...base, 'db', 'log'],
  access: [...base, 'db', 'log', 'directory'],
  pictures: ['api', 'concurrency-limiter', 'config', 'http'],
  jobs: [...base, 'db', 'log', 'directory', 'access'],
  mail: [...base, 'db', 'log', 'directory', 'access', 'jobs', 'pages'],
  push: [...base, 'db', 'log', 'directory', 'access', 'jobs'],
};
// Only commands start PostgreSQL.
const belowFeatures = Object.keys(layers).filter((layer) => layer !== 'embedded-postgres');
const serverLayers = [...Object.keys(layers), 'extension', 'domain', 'features', 'app'];

const upperLayers: Readonly<Record<string, readonly string[]>> = {
  extension: belowFeatures,
  domain: [...belowFeatures, 'extension'],
  features: [...belowFeatures, 'extension', 'domain'],
  app: [...Object.keys(layers), 'extension', 'domain', 'features'],
  // The program of the operator: commands, backups, imports. The server does not know it.
  operator: serverLayers,
  // The client is published alone. Its generated types replace imports of the contract.
  client: [],
  // The app imports types of the contract only. Its tests use the real server.
  web: ['api', 'client'],
  'app-testing': [...serverLayers, 'operator', 'client', 'client-testing', 'testing', 'web', 'scripts'],
  'client-testing': [...serverLayers, 'operator', 'client', 'testing'],
  testing: [...serverLayers, 'operator', 'client', 'client-testing'],
  bench: [...serverLayers, 'operator', 'client', 'testing', 'app-testing', 'scripts'],
  chaos: [...serverLayers, 'operator', 'client', 'client-testing', 'testing', 'scripts'],
  scripts: [...serverLayers, 'operator', 'client', 'testing', 'web', 'app-testing'],
};

/** Files directly in `server/src/` that compose the layers. `config.ts` is a separate low layer. */
const appFiles = new Set([
  'app',
  'open-app',
  'all-features',
  'housekeeping',
  'idle-memory',
  'lifecycle',
  'preloading',
  'secret',
  'readiness',
  'readiness-checks',
  'monitoring',
]);

/**
 * The areas of `domain/`, each with its folders. An area can import earlier areas, and a folder can import earlier folders of its area. Some areas
 * are pairs: a low one that others use, and a high one that uses others. Examples are `channels` and `channel-management`, or `users` and `accounts`.
 */
const DOMAIN_ORDER: Readonly<Record<string, readonly string[]>> = {
  texts: ['shared', 'emoji', 'alert-words', 'external-images', 'descriptions', 'linkifiers', 'address-rules'],
  uploads: [],
  channels: [],
  credentials: [],
  users: ['user-settings', 'profile-fields', 'accessible-users', 'users', 'bots'],
  messages: ['conversations', 'submessages', 'reactions', 'messages'],
  topics: [],
  presence: [],
  reading: ['history', 'read-state'],
  sending: ['sending', 'channel-notices'],
  editing: ['deleting', 'editing'],
  'user-groups': [],
  organizations: ['organization-pictures', 'organizations', 'organization-settings'],
  notifications: ['mail-parts', 'quiet-hours', 'notifications', 'push-notifications'],
  'channel-management': ['subscriptions', 'channel-management'],
  accounts: ['account-security', 'accounts', 'avatars', 'own-settings'],
  joining: ['invitations', 'joining', 'founding', 'organization-imports'],
};

/**
 * The folders of the web app as floors, the lowest first. Each can import earlier folders, but no later ones. `main.tsx` directly in `web/src/`
 * is above them.
 */
const WEB_ORDER: readonly string[] = [
  'base',
  'design',
  'shown',
  'frame',
  'emoji',
  'content',
  'search',
  'compose',
  'people',
  'help',
  'notifications',
  'actions',
  'topic-actions',
  'feed',
  'settings',
  'conversations',
  'channels',
  'app',
  'gallery',
];

/** The folders of the box for writing, in the same way. */
const COMPOSE_ORDER: readonly string[] = [
  'text',
  'target',
  'drafts',
  'commands',
  'uploads',
  'typeahead',
  'sending',
  'scheduling',
  'snippets',
  'gifs',
  'voice',
  'tools',
  'box',
];

/** The folders of the client, in the same way. */
const CLIENT_ORDER: readonly string[] = ['calls', 'model', 'session'];

/** The folders of the client's model, in the same way. */
const MODEL_ORDER: readonly string[] = ['people', 'own', 'channels', 'messages', 'permissions'];

/** The folders of `http/`. The files directly in it come last, because they put the parts together. */
const HTTP_ORDER: readonly string[] = [
  'limits',
  'answers',
  'bodies',
  'requests',
  'parameters',
  'responses',
  'pages',
  '',
];

/** The orders of folders by their parent. The name '' is for files directly in the parent. Without it, they have no place in the order. */
const ORDERS: readonly (readonly [parent: string, name: string, order: readonly string[]])[] = [
  ['server/src/http/', 'HTTP_ORDER', HTTP_ORDER],
  ['server/src/domain/', 'DOMAIN_ORDER', Object.keys(DOMAIN_ORDER)],
  ...Object.entries(DOMAIN_ORDER)
    .filter(([, folders]) => folders.length > 0)
    .map(([area, folders]) => [`server/src/domain/${area}/`, `DOMAIN_ORDER.${area}`, [...folders, '']] as const),
  ['web/src/', 'WEB_ORDER', WEB_ORDER],
  ['web/src/compose/', 'COMPOSE_ORDER', COMPOSE_ORDER],
  ['client/src/', 'CLIENT_ORDER', CLIENT_ORDER],
  ['client/src/model/', 'MODEL_ORDER', MODEL_ORDER],
];

/** Files of a folder of `domain/` or `features/` that no other folder can import, except `testing`. */
const PRIVATE_FILES =
  /^(server\/src\/(?:features\/[^/]+|domain\/[^/]+(?:\/[^/]+)?)\/)(?:.*\/)?(?:index|routes|isolation-probes|access-rows)\.ts$/;

/** The class that changes a directory. All others get the type `Directory`, which cannot. */
const MUTABLE_DIRECTORY = 'server/src/directory/mutable-directory.ts';
/** Folders of the repository that are one layer each. */
const WORKSPACES = new Set(['api', 'client', 'embedded-postgres', 'operator', 'web', 'bench', 'chaos', 'scripts']);

/** The layer of a file (a path from the root of the repository). Undefined if the file has no layer. */
function layerOf(path: string): string | undefined {
  const [workspace = '', , first = ''] = path.split('/');
  if (path.startsWith('client/testing/')) return 'client-testing';
  if (path.startsWith('operator/src/testing/')) return 'testing';
  if (path.startsWith('embedded-postgres/src/testing/')) return 'testing';
  if (/^web\/(.*\/)?testing\//.test(path)) return 'app-testing';
  if (workspace !== 'server') return WORKSPACES.has(workspace) ? workspace : undefined;
  const name = first.replace(/\.ts$/, '');
  if (appFiles.has(name)) return 'app';
  return name in layers || name in upperLayers ? name : undefined;
}

function problemWith(from: string, specifier: string): string | undefined {
  const to = targetOf(from, specifier);
  if (to === undefined) return undefined;
  const fromLayer = layerOf(from);
  const toLayer = layerOf(to);
  if (toLayer === undefined) return `${specifier} is in no known layer; add it in scripts/checks/imports.ts`;
  if (fromLayer === undefined) return undefined;
  const [, owner] = PRIVATE_FILES.exec(to) ?? [];
  if (owner !== undefined && fromLayer !== 'testing' && !from.startsWith(owner))
    return `only ${owner} may import ${to}`;

  if (fromLayer === 'features' && toLayer === 'features') return problemBetweenFeatures(from, to);
  if (fromLayer === toLayer) return problemInOrder(from, to);
  if (to === MUTABLE_DIRECTORY && fromLayer !== 'testing') return `only directory/ may import ${to}`;
  const allowed = layers[fromLayer] ?? upperLayers[fromLayer] ?? [];
  return allowed.includes(toLayer) ? undefined : `${fromLayer} may not import ${toLayer} (${specifier})`;
}

/** The problem with an import from one feature to another. */
function problemBetweenFeatures(from: string, to: string): string | undefined {
  const [own, other] = [folderIn('server/src/features/', from), folderIn('server/src/features/', to)];
  if (own === other) return undefined;
  return `the feature ${own} may not import the feature ${other}; move shared code to the domain`;
}

/** The problem with an import between two folders that have an order. */
function problemInOrder(from: string, to: string): string | undefined {
  for (const [parent, name, order] of ORDERS) {
    if (!from.startsWith(parent) || !to.startsWith(parent)) continue;
    const inParent = order.includes('') ? '' : undefined;
    const [own, other] = [folderIn(parent, from) ?? inParent, folderIn(parent, to) ?? inParent];
    if (own === undefined || other === undefined || own === other) continue;
    for (const folder of [own, other]) {
      if (!order.includes(folder)) return `${parent}${folder} has no place in ${name} (scripts/checks/imports.ts)`;
    }
    if (order.indexOf(other) > order.indexOf(own))
      return `${parent}${own} may not import ${parent}${other}, which is later in ${name}`;
  }
  return undefined;
}

/** The folder directly in `parent` that contains the file. Undefined for files directly in `parent`. */
function folderIn(parent: string, path: string): string | undefined {
  const [folder, ...rest] = path.slice(parent.length).split('/');
  return rest.length === 0 ? undefined : folder;
}

/**
 * Reports imports that go up, and imports of a feature that are not public. Tests can import any file, and so can
 * the rows of the access matrix.
 * Rule: `ARCHITECTURE.md`, "Layers".
 */
export function checkImports(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const { path } = file;
    if (path.endsWith('.test.ts') || path.endsWith('/access-rows.ts')) return [];
    if (layerOf(path) === undefined) {
      return [{ path, line: 1, problem: 'is in no known layer; add it in scripts/checks/imports.ts' }];
    }
    return importsOf(file).flatMap(({ specifier, line }) => {
      const problem = problemWith(path, specifier);
      return problem === undefined ? [] : [{ path, line, problem }];
    });
  });
}

/** The entry points: the program, and the features that it discovers by their folders. */
const ENTRIES = /^(operator\/src\/main|server\/src\/(domain\/[^/]+(\/[^/]+)?\/index|features\/[^/]+\/index))\.ts$/;

/** Files that only tests load: tests, their helpers, the isolation probes and the rows of the access matrix. */
const FOR_TESTS = /(^|\/)testing\/|\.test\.ts$|(^|\/)(isolation-probes|access-rows)\.ts$/;

/** Reports imports through which the server would load test code or test data. */
export function checkProduction(files: readonly SourceFile[]): Finding[] {
  const known = new Map(files.map((file) => [file.path, file]));
  const findings: Finding[] = [];
  const reached = new Set(files.map(({ path }) => path).filter((path) => ENTRIES.test(path)));
  // The iteration of a set includes elements that are added during the iteration.
  for (const path of reached) {
    const file = known.get(path);
    for (const { specifier, line } of file === undefined ? [] : importsOf(file)) {
      const to = targetOf(path, specifier);
      if (to === undefined) continue;
      if (FOR_TESTS.test(to)) findings.push({ path, line, problem: `the server would load ${to}, which is for tests` });
      else reached.add(to);
    }
  }
  return findings;
}

/** Reports import cycles, including imports of types. Tests can import any file. */
export function checkCycles(files: readonly SourceFile[]): Finding[] {
  const sources = files.filter(({ path }) => !path.endsWith('.test.ts'));
  const known = new Set(sources.map(({ path }) => path));
  const edges = new Map(
    sources.map((file) => {
      const { path } = file;
      const targets = importsOf(file).flatMap(({ specifier }) => targetOf(path, specifier) ?? []);
      return [path, targets.filter((target) => target !== path && known.has(target))] as const;
    }),
  );
  return cyclesIn(edges).map((cycle) => {
    const [path = '', ...others] = cycle.toSorted();
    return { path, line: 1, problem: `is in an import cycle with ${others.join(', ')}` };
  });
}

/** The strongly connected components of a graph with more than one node (Tarjan's algorithm). */
function cyclesIn(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const visit = (node: string): number => {
    const own = order.size;
    order.set(node, own);
    let low = own;
    path.push(node);
    for (const next of edges.get(node) ?? []) {
      // A visited node that is no longer on the path belongs to another component.
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (path.includes(next)) low = Math.min(low, lowest.get(next) ?? own, order.get(next) ?? own);
    }
    lowest.set(node, low);
    if (low === own) {
      const part = path.splice(path.indexOf(node));
      if (part.length > 1) found.push(part);
    }
    return low;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}
