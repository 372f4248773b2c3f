import type { Organization } from '@heddle/server/directory/organization.ts';
import { Role, type UserRecord } from '@heddle/server/directory/records.ts';
import type { Power } from '@heddle/server/domain/accounts/accounts/powers.ts';
import type { AppContext } from '@heddle/server/extension/app-context.ts';
import { type CommandContext, CommandError, defineCommand } from './command.ts';
import { listing } from './output.ts';
import { askForPassword, passwordFrom, passwordHelp } from './password.ts';
import { apiKeyOf, organizationAt, ownerOf, withApp } from './with-app.ts';

const email = { value: 'E', help: 'The email address', required: true } as const;
const subdomain = { value: 'S', help: 'The subdomain of the organization; the root domain if not given' } as const;

const userActions = () => import('@heddle/server/domain/accounts/accounts/actions.ts');

const roles: Readonly<Record<string, Role>> = Role;
const roleNames = Object.keys(roles);

const createCommand = defineCommand({
  name: 'user create',
  summary: 'Create an account, and print its API key',
  details:
    'Without --password the account has only its API key. Nobody can log in with a password until user set-password ' +
    'sets one.',
  options: {
    email,
    name: { value: 'N', help: 'The full name', required: true },
    role: { value: 'R', help: 'The role; member if not given', choices: roleNames },
    password: { value: 'P', help: passwordHelp },
    subdomain,
  },
  async run(values, context) {
    const role = values.role === undefined ? undefined : roles[values.role];
    const password = values.password === undefined ? undefined : await passwordFrom(values.password, context.terminal);
    return withApp(context, async (app) => {
      const organization = await organizationAt(app, values.subdomain);
      const [{ createUser }, { greetNewcomer }] = await Promise.all([
        userActions(),
        import('@heddle/server/domain/accounts/accounts/welcome.ts'),
      ]);
      const user = await createUser(
        organization,
        {
          email: values.email,
          fullName: values.name,
          ...(role === undefined ? {} : { role }),
          ...(password === undefined ? {} : { password }),
        },
        (change, added) => greetNewcomer(app, change, added),
      );
      const json = {
        user_id: user.id,
        email: user.email,
        full_name: user.fullName,
        role: roleNames.find((name) => roles[name] === user.role),
        api_key: apiKeyOf(app, organization.id, user),
      };
      return { text: `user_id: ${json.user_id}\nemail: ${json.email}\napi_key: ${json.api_key}`, json };
    });
  },
});

const apiKeyCommand = defineCommand({
  name: 'user api-key',
  summary: "Print an account's API key",
  options: { email, subdomain },
  run: (values, context) =>
    withUser(context, values, async (app, organization, user) => {
      if (!user.isActive) throw new CommandError(`${user.email} is deactivated, so the server refuses its API key.`);
      const key = apiKeyOf(app, organization.id, user);
      return { text: key, json: { user_id: user.id, email: user.email, api_key: key } };
    }),
});

const newApiKeyCommand = defineCommand({
  name: 'user new-api-key',
  summary: 'Replace the API key of an account, and print the new one',
  details: 'The server refuses the old key at once. Sessions of browsers and the password do not change.',
  options: { email, subdomain },
  run: (values, context) =>
    withUser(context, values, async (app, organization, { id }) => {
      const { renewKey } = await import('@heddle/server/domain/credentials/own-key.ts');
      const renewed = await organization.transact('server', 'exclusive', async (change) => {
        const user = change.directory.user(id);
        return user === undefined ? undefined : await renewKey(change, user);
      });
      if (renewed === undefined) throw new CommandError(`There is no account ${values.email}.`);
      await app.queues.removeAllOf(organization.id, id);
      const key = apiKeyOf(app, organization.id, renewed);
      return { text: key, json: { user_id: id, email: renewed.email, api_key: key } };
    }),
});

const setPasswordCommand = defineCommand({
  name: 'user set-password',
  summary: 'Set a new password for an account',
  details: 'Without --password the command asks for it. Sessions of the account end. The API key does not change.',
  options: { email, password: { value: 'P', help: passwordHelp }, subdomain },
  async run(values, context) {
    const { terminal } = context;
    const { password: given } = values;
    const password = given === undefined ? await askForPassword(terminal) : await passwordFrom(given, terminal);
    return withUser(context, values, async (_, organization, user) => {
      const { setPassword } = await userActions();
      await setPassword(organization, user.id, password);
      return { text: `${user.email} has a new password.`, json: { user_id: user.id, email: user.email } };
    });
  },
});

const setRoleCommand = defineCommand({
  name: 'user set-role',
  summary: 'Change the role of an account',
  details: 'Its subscriptions do not change. An organization keeps at least one owner.',
  options: { email, role: { value: 'R', help: 'The new role', required: true, choices: roleNames }, subdomain },
  run: (values, context) =>
    withUser(context, values, async (_, organization, user) => {
      const { changeRole } = await userActions();
      // The choices are the roles' names.
      await changeRole(organization, user.id, roles[values.role] as Role);
      const text = `${user.email} now has the role ${values.role}.`;
      return { text, json: { user_id: user.id, email: user.email, role: values.role } };
    }),
});

const deactivateCommand = defineCommand({
  name: 'user deactivate',
  summary: 'Deactivate an account: the server then refuses its password and API key',
  options: { email, subdomain },
  run: (values, context) =>
    withUser(context, values, async (app, organization, user) => {
      const { deactivateUser } = await userActions();
      await deactivateUser(app, organization, user.id);
      return { text: `${user.email} is deactivated.`, json: { user_id: user.id, email: user.email } };
    }),
});

const reactivateCommand = defineCommand({
  name: 'user reactivate',
  summary: 'Reactivate a deactivated account, with its role, subscriptions and API key',
  details: 'A bot whose owner is deactivated then belongs to an owner of the organization.',
  options: { email, subdomain },
  run: (values, context) =>
    withUser(context, values, async (_, organization, { id, email: address }) => {
      const { reactivateUser } = await import('@heddle/server/domain/accounts/accounts/reactivation.ts');
      await organization.transact('server', 'exclusive', async (change) => {
        const { directory } = change;
        const user = directory.user(id);
        if (user !== undefined) await reactivateUser(change, user, ownerOf(directory));
      });
      return { text: `${address} is active again.`, json: { user_id: id, email: address } };
    }),
});

const listCommand = defineCommand({
  name: 'user list',
  summary: 'List the accounts of an organization, also bots and deactivated ones',
  options: { subdomain },
  run: (values, context) =>
    withApp(context, async (app) => {
      const { directory } = await organizationAt(app, values.subdomain);
      const rows = [...directory.users.values()]
        .filter((user) => user.systemBot === undefined)
        .map((user) => ({
          user_id: user.id,
          email: user.deliveryEmail,
          full_name: user.fullName,
          role: roleNames.find((name) => roles[name] === user.role),
          is_bot: user.isBot,
          is_active: user.isActive,
        }));
      return listing(rows, {
        ID: (row) => String(row.user_id),
        EMAIL: (row) => row.email,
        NAME: (row) => row.full_name,
        ROLE: (row) => row.role ?? '',
        '': (row) => [...(row.is_bot ? ['bot'] : []), ...(row.is_active ? [] : ['deactivated'])].join(', '),
      });
    }),
});

const powers: Readonly<Record<Power, string>> = {
  'create-users': 'create users',
  'change-addresses': 'change the addresses of others',
};

function powerCommand(name: string, summary: string, isGiven: boolean) {
  return defineCommand({
    name,
    summary,
    details:
      'create-users: an administrator can create accounts with POST /users. change-addresses: an owner can change the email ' +
      'addresses of others with PATCH /users/{user_id}. Only this command grants these permissions.',
    options: {
      email,
      what: { value: 'W', help: 'The permission', required: true, choices: Object.keys(powers) },
      subdomain,
    },
    run: (values, context) =>
      withUser(context, values, async (app, organization, user) => {
        const { setPower } = await import('@heddle/server/domain/accounts/accounts/powers.ts');
        // The choices are the powers' names.
        const power = values.what as Power;
        await setPower(app, organization, user.id, { power, isGiven });
        const text = `${user.deliveryEmail} can ${isGiven ? 'now' : 'no longer'} ${powers[power]}.`;
        return { text, json: { user_id: user.id, email: user.email, what: values.what, allowed: isGiven } };
      }),
  });
}

function withUser<Result>(
  context: CommandContext,
  account: { readonly email: string; readonly subdomain: string | undefined },
  act: (app: AppContext, organization: Organization, user: UserRecord) => Promise<Result>,
): Promise<Result> {
  return withApp(context, async (app) => {
    const organization = await organizationAt(app, account.subdomain);
    const { userByAnyAddress } = await import('@heddle/server/domain/users/users/queries.ts');
    return act(app, organization, userByAnyAddress(organization.directory, account.email));
  });
}

export const userCommands = [
  listCommand,
  createCommand,
  apiKeyCommand,
  newApiKeyCommand,
  setPasswordCommand,
  setRoleCommand,
  deactivateCommand,
  reactivateCommand,
  powerCommand('user allow', 'Give an account a permission that only the operator grants', true),
  powerCommand('user forbid', 'Revoke a permission that `user allow` gave', false),
];
