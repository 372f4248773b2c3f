/** A real LDAP directory: Debian's `slapd`, on a loopback port with its own configuration and data. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from './ports.ts';

const SLAPD = '/usr/sbin/slapd';
const SLAPADD = '/usr/sbin/slapadd';

/** The reason to skip tests that need it, or false if it is installed. */
export const withoutSlapd = existsSync(SLAPD) && existsSync(SLAPADD) ? false : 'slapd is not installed';

export interface TestDirectory {
  readonly url: string;
  /** The base DN of the users. */
  readonly base: string;
  /** The DN of an account that may search for users. */
  readonly bindDn: string;
  readonly bindPassword: string;
  stop(): Promise<void>;
}

export interface TestPerson {
  readonly uid: string;
  readonly cn: string;
  readonly mail?: string;
  readonly password: string;
}

const SUFFIX = 'dc=example,dc=com';
const BASE = `ou=people,${SUFFIX}`;

export async function startSlapd(people: readonly TestPerson[]): Promise<TestDirectory> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-slapd-'));
  const [configuration, content] = [join(directory, 'slapd.conf'), join(directory, 'people.ldif')];
  await mkdir(join(directory, 'data'));
  await writeFile(configuration, configurationIn(directory));
  await writeFile(content, [...ROOTS, ...people.map(entry)].join('\n\n'));
  await promisify(execFile)(SLAPADD, ['-f', configuration, '-l', content]);
  const port = await freePort();
  // With a debug level it stays in the foreground, and reports when it is ready.
  const child = spawn(SLAPD, ['-d', 'stats', '-f', configuration, '-h', `ldap://127.0.0.1:${port}/`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface({ input: child.stderr });
  const started = Promise.withResolvers<void>();
  let output = '';
  lines.on('line', (line) => {
    output += `${line}\n`;
    if (line.includes('slapd starting')) started.resolve();
  });
  child.once('exit', () => started.reject(new Error(`slapd ended:\n${output}`)));
  await started.promise;
  return {
    url: `ldap://127.0.0.1:${port}`,
    base: BASE,
    bindDn: `cn=admin,${SUFFIX}`,
    bindPassword: 'of the admin',
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
      await rm(directory, { recursive: true });
    },
  };
}

function configurationIn(directory: string): string {
  return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${directory}/pid
argsfile ${directory}/args
database mdb
maxsize 10485760
suffix "${SUFFIX}"
rootdn "cn=admin,${SUFFIX}"
rootpw "of the admin"
directory ${directory}/data
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="cn=admin,${SUFFIX}" read by * none
`;
}

const ROOTS = [
  `dn: ${SUFFIX}\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example`,
  `dn: ${BASE}\nobjectClass: organizationalUnit\nou: people`,
];

function entry({ uid, cn, mail, password }: TestPerson): string {
  return [
    `dn: uid=${uid},${BASE}`,
    'objectClass: inetOrgPerson',
    `uid: ${uid}`,
    `cn: ${cn}`,
    'sn: Test',
    ...(mail === undefined ? [] : [`mail: ${mail}`]),
    `userPassword: ${password}`,
  ].join('\n');
}
