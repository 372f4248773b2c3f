import type { Config } from '@heddle/server/config.ts';
import type { Db } from '@heddle/server/db/schema.ts';
import type { DoctorCheck, Finding } from '../doctor/check.ts';
import { type CommandContext, defineCommand } from './command.ts';

const STATUS_COLUMN_CHARACTERS = 10;

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'Check the settings, the database, the disk and the services, and say what to do',
  details:
    'It changes nothing: it writes a file to the storage and deletes it. The exit code is 1 if a check has failed. ' +
    'It does not check BigBlueButton.',
  options: {
    'mail-to': { value: 'ADDRESS', help: 'Send a mail to this address' },
    cluster: {
      isFlag: true,
      help: 'Check also the processes on all machines, and each host of HEDDLE_DATABASE_URL',
    },
  },
  async run(values, context) {
    const findings = await examine(context, { mailTo: values['mail-to'], isForCluster: values.cluster });
    const failures = findings.filter(({ status }) => status === 'failed').length;
    const warnings = findings.filter(({ status }) => status === 'warning').length;
    const sum = failures + warnings === 0 ? 'Everything is well.' : `${failures} failed, ${warnings} warnings.`;
    const text = [...findings.map(inWords), '', sum].join('\n');
    context.output.print({ text, json: { healthy: failures === 0, checks: findings } });
    return failures === 0 ? 0 : 1;
  },
});

function inWords({ check, status, message, advice }: Finding): string {
  const line = `${status.padEnd(STATUS_COLUMN_CHARACTERS)}${check.padEnd(STATUS_COLUMN_CHARACTERS + 2)}${message}`;
  return advice === undefined ? line : `${line}\n${' '.repeat(2 * STATUS_COLUMN_CHARACTERS + 2)}${advice}`;
}

async function examine(
  { config, log, terminal }: CommandContext,
  { mailTo, isForCluster }: { readonly mailTo: string | undefined; readonly isForCluster: boolean },
): Promise<readonly Finding[]> {
  const [{ runChecks }, files, { databaseChecks }, services, { loginChecks }, address, { openDatabase }, { openPool }] =
    await Promise.all([
      import('../doctor/check.ts'),
      import('../doctor/files.ts'),
      import('../doctor/database.ts'),
      import('../doctor/services.ts'),
      import('../doctor/logins.ts'),
      import('../doctor/address.ts'),
      import('./database.ts'),
      import('@heddle/server/db/pool.ts'),
    ]);
  const closing: (() => Promise<void>)[] = [];
  const opening = async () => {
    const database = await openDatabase(config, log, 'command');
    closing.push(() => database.stop());
    // The check of standbys can leave one waiting for ever.
    const pool = openPool(database.connection, log, { size: 2, name: 'heddle doctor' });
    closing.push(() => pool.close());
    return pool.db;
  };
  let opened: ReturnType<typeof opening> | undefined;
  const open = () => {
    opened ??= opening();
    return opened;
  };
  try {
    return await runChecks([
      { name: 'settings', run: () => checkSettings(terminal.environment, config) },
      files.diskCheck(config),
      ...databaseChecks(open, config),
      ...(isForCluster ? await checksOfCluster(open, config) : []),
      files.storageCheck(config),
      services.mailCheck(config, mailTo),
      services.pushCheck(config),
      services.webPushCheck(config),
      ...loginChecks(config),
      address.portCheck(config),
      ...address.gatewayChecks(config),
      ...address.addressChecks(config),
    ]);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function checksOfCluster(
  open: () => Promise<Db>,
  config: CommandContext['config'],
): Promise<readonly DoctorCheck[]> {
  const [{ clusterChecks }, { replicationChecks }] = await Promise.all([
    import('../doctor/cluster.ts'),
    import('../doctor/replication.ts'),
  ]);
  return [...clusterChecks(open, config), ...replicationChecks(config)];
}

/** Invalid settings end the command before this, with their own messages. */
async function checkSettings(environment: CommandContext['terminal']['environment'], config: Config) {
  const [{ readConfig }, { ok, warning }] = await Promise.all([
    import('@heddle/server/config.ts'),
    import('../doctor/check.ts'),
  ]);
  const { warnings } = readConfig(environment);
  if (warnings.length > 0)
    return warning(warnings.join(' '), 'Correct the names. docs/settings.md lists all settings.');
  if (config.url?.startsWith('https:') && config.trustProxy === false) {
    return warning(
      'HEDDLE_URL is https, but HEDDLE_TRUST_PROXY is off',
      'Set it to your proxy: else all clients count as one address.',
    );
  }
  return ok('all settings are valid');
}
