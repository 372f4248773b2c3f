import { resolve } from 'node:path';
import type { OpenApp } from '@heddle/server/open-app.ts';
import { type Format, formats } from '../import/formats.ts';
import type { ImportReport } from '../import/report.ts';
import { type Command, CommandError, defineCommand, UsageError } from './command.ts';
import { interruptible } from './interruption.ts';
import type { Result } from './output.ts';
import { Progress } from './progress.ts';
import { withApp } from './with-app.ts';

const DETAILS =
  'The organization is new, and nobody can reach it before everything is imported. If the command is interrupted, run it again with the ' +
  'same archive: it continues. The report lists what was not imported and why. docs/import.md has more.';

const ENDINGS = {
  interrupted: 'The import was interrupted. Run the command again to continue.',
  unavailable: 'The database is not available. Run the command again to continue the import.',
};

const options = {
  subdomain: {
    value: 'S',
    help: "The address of the new organization is S.<host of HEDDLE_URL>; '' stands for the root domain",
    required: true,
  },
  name: {
    value: 'NAME',
    help: 'The name of the organization. Without it, the one in the archive, or that of the program',
  },
  'send-mails': {
    value: 'WHO',
    help: 'Send mails with links that set a password: to all active users, or to the owners only. Nobody gets a mail if not given',
    choices: ['all', 'owners'],
  },
} as const;

function importCommand({ name, summary, path: help, open }: Format): Command {
  return defineCommand({
    name: `import ${name}`,
    summary,
    details: DETAILS,
    operands: [{ value: 'PATH', help }],
    options,
    run: (values, context, path = '') =>
      withApp(context, async (app, connection) => {
        const [
          { importInto },
          { withImportSession },
          { ImportReport },
          { checkedSubdomain },
          { checkedOrganizationName },
        ] = await Promise.all([
          import('../import/importing.ts'),
          import('../import/session.ts'),
          import('../import/report.ts'),
          import('@heddle/server/domain/joining/founding/actions.ts'),
          import('@heddle/server/domain/organizations/organizations/names.ts'),
        ]);
        const subdomain = checkedSubdomain(values.subdomain);
        const name = values.name === undefined ? undefined : checkedOrganizationName(values.name);
        const report = new ImportReport();
        const progress = new Progress(context.terminal.err);
        return await interruptible(context.terminal, ENDINGS, async (signal) => {
          const imported = await withImportSession(
            { config: app.config, connection },
            { subdomain },
            async (session) => {
              const { source, close } = await open({ path: resolve(path), app, session, report, progress, signal });
              return await importInto(app, session, source, {
                name,
                report,
                signal,
                progress: ({ table, rows, of }) =>
                  progress.show(`Importing ${table}: ${rows}${of === undefined ? '' : ` of ${of}`} rows`),
              }).finally(close);
            },
          );
          progress.end();
          const { invited, without } = await inviteUsers(app, imported.organizationId, values['send-mails']);
          return resultOf({
            ...imported,
            url: app.address.of(subdomain),
            invited,
            without,
            sendsMails: values['send-mails'] !== undefined,
          });
        }).finally(() => progress.end());
      }),
  });
}

/** Sends mails that set passwords. */
async function inviteUsers(app: OpenApp, organizationId: number, who: string | undefined) {
  if (who === undefined) return { invited: 0, without: 0 };
  const { sendPasswordLinks } = await import('@heddle/server/domain/accounts/account-security/reset.ts');
  const organization = await app.organizations.byId(organizationId);
  if (organization === undefined) throw new Error('the imported organization is missing');
  const { sent, skipped } = await sendPasswordLinks(app, organization, who === 'owners' ? 'owners' : 'all');
  return { invited: sent, without: skipped };
}

interface Outcome {
  readonly organizationId: number;
  readonly url: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly lines: ImportReport['lines'];
  readonly messagesLeftOut: number;
  readonly isContinued: boolean;
  readonly sendsMails: boolean;
  readonly invited: number;
  readonly without: number;
}

async function resultOf({
  organizationId,
  url,
  rows,
  lines,
  messagesLeftOut,
  isContinued,
  sendsMails,
  invited,
  without,
}: Outcome): Promise<Result> {
  const { movedRows } = await import('../import/moved-rows.ts');
  const imported = Object.entries(movedRows(rows));
  const missing = lines.map(({ what, count, examples }) => {
    const some = examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`;
    return `  ${count} × ${what}${some}`;
  });
  const text = [
    `The organization is at ${url}${isContinued ? ', after an interrupted import was continued' : ''}.`,
    'Imported:',
    ...imported.map(([table, count]) => `  ${count} ${table.replaceAll('_', ' ')}`),
    ...(missing.length === 0 ? ['Everything in the archive was imported.'] : ['Not imported:', ...missing]),
    sendsMails
      ? `Mails with a link that sets a password are queued for ${invited} users. The running server sends them.${without === 0 ? '' : ` ${without} users have no valid address.`}`
      : 'Passwords are not in the archive. Users set one with "Forgot your password?" on the login page, or log in with single sign-on. `user set-password` sets one.',
    ...(messagesLeftOut === 0 ? [] : [warningOf(messagesLeftOut)]),
  ];
  return {
    text: text.join('\n'),
    ...(messagesLeftOut > 0 && { exitCode: MESSAGES_LEFT_OUT_CODE }),
    json: {
      organization_id: organizationId,
      url,
      imported: rows,
      not_imported: lines,
      messages_left_out: messagesLeftOut,
      continued: isContinued,
      mails: invited,
    },
  };
}

/** The import succeeded, but not with all messages. */
const MESSAGES_LEFT_OUT_CODE = 3;

function warningOf(messages: number): string {
  return messages === 1
    ? 'Attention: 1 message of the archive was not imported. The lines under "Not imported" say why.'
    : `Attention: ${messages} messages of the archive were not imported. The lines under "Not imported" say why.`;
}

const cancel = defineCommand({
  name: 'import cancel',
  summary: 'Remove what an interrupted import has left in the database',
  details:
    'Use it if the import will not continue, for example because the archive is damaged. Complete organizations are not affected.',
  options: { subdomain: options.subdomain },
  run: (values, context) =>
    withApp(context, async (app, connection) => {
      const { cancelInterrupted } = await import('../import/importing.ts');
      const was = await cancelInterrupted({ db: app.db, config: app.config, connection }, values.subdomain);
      if (!was) throw new CommandError(`There is no interrupted import into '${values.subdomain}'.`);
      return { text: 'The interrupted import is removed.', json: { cancelled: true } };
    }),
});

const uploaded = defineCommand({
  name: 'import uploaded',
  summary: 'Run the import of an archive that an owner has uploaded in the browser',
  details: 'The running server starts this command. It ends when standard input ends.',
  options: { organization: { value: 'ID', help: 'The id of the new organization', required: true } },
  run: (values, context) =>
    withApp(context, async (app, connection) => {
      const [{ importUploaded }, { IMPORT_BUSY_CODE }] = await Promise.all([
        import('../import/uploaded.ts'),
        import('@heddle/server/domain/joining/organization-imports/exit-code.ts'),
      ]);
      const organizationId = Number(values.organization);
      if (!Number.isSafeInteger(organizationId)) throw new UsageError('--organization must be a whole number.');
      const { terminal } = context;
      return await interruptible(terminal, ENDINGS, async (signal) => {
        const orphaned = new AbortController();
        terminal.input.once('close', () => orphaned.abort(new CommandError(ENDINGS.interrupted))).resume();
        const ending = await importUploaded({
          ...{ app, connection, organizationId },
          signal: AbortSignal.any([signal, orphaned.signal]),
        });
        return {
          ...{ text: `The import: ${ending}.`, json: { ending } },
          ...(ending === 'busy' && { exitCode: IMPORT_BUSY_CODE }),
        };
      });
    }),
});

export const importCommands = [...formats.map(importCommand), cancel, uploaded];
