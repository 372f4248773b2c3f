import type { Organization } from '../directory/organization.ts';
import { Role, type UserRecord } from '../directory/records.ts';
import type { Rooms } from '../features/rooms.ts';
import type { Power } from '../features/users/actions.ts';
import { type CommandContext, CommandError, defineCommand } from './command.ts';
import { askForPassword, passwordFrom, passwordHelp } from './password.ts';
import { apiKeyOf, withRooms } from './rooms.ts';

const email = { value: 'E', help: 'The email address', required: true } as const;
const subdomain = { value: 'S', help: 'The subdomain of the organization; the root domain if not given' } as const;

/** Loaded when a command works with it. */
const userActions = () => import('../features/users/actions.ts');

const roles: Readonly<Record<string, Role>> = Role;
const roleNames = Object.keys(roles);

export const createUserCommand = defineCommand({
  name: 'user create',
  summary: 'Create an account, and print its API key',
  details:
    'Without --password the account has its API key only: nobody can log in to it by password until user set-password\n' +
    'gives it one.',
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
    return withRooms(context, async (rooms) => {
      const organization = await organizationAt(rooms, values.subdomain);
      const [{ createUser }, { greetNewcomer }] = await Promise.all([
        userActions(),
        import('../features/invitations/actions.ts'),
      ]);
      const wish = {
        email: values.email,
        fullName: values.name,
        ...(role === undefined ? {} : { role }),
        ...(password === undefined ? {} : { password }),
      };
      const user = await createUser(organization, wish, (change, added) => greetNewcomer(rooms, change, added));
      const json = {
        user_id: user.id,
        email: user.email,
        full_name: user.fullName,
        role: roleNames.find((name) => roles[name] === user.role),
        api_key: apiKeyOf(rooms, organization.id, user),
      };
      return { text: `user_id: ${json.user_id}\nemail: ${json.email}\napi_key: ${json.api_key}`, json };
    });
  },
});

export const apiKeyCommand = defineCommand({
  name: 'user api-key',
  summary: "Print an account's API key",
  options: { email, subdomain },
  run: (values, context) =>
    withUser(context, values, async (rooms, organization, user) => {
      if (!user.isActive) throw new CommandError(`${user.email} is deactivated, so its key is refused`);
      const key = apiKeyOf(rooms, organization.id, user);
      return { text: key, json: { user_id: user.id, email: user.email, api_key: key } };
    }),
});

export const setPasswordCommand = defineCommand({
  name: 'user set-password',
  summary: 'Give an account a new password',
  details: 'Without --password you are asked for it. The API key stays as it is.',
  options: { email, password: { value: 'P', help: passwordHelp }, subdomain },
  async run(values, context) {
    const { terminal } = context;
    const { password: given } = values;
    const password = given === undefined ? await askForPassword(terminal) : await passwordFrom(given, terminal);
    return withUser(context, values, async (rooms, organization, user) => {
      const { setPassword } = await userActions();
      await setPassword(rooms, organization, user.id, password);
      return { text: `${user.email} has a new password`, json: { user_id: user.id, email: user.email } };
    });
  },
});

export const setRoleCommand = defineCommand({
  name: 'user set-role',
  summary: 'Give an account another role',
  details: 'Its subscriptions stay. An organization keeps at least one owner.',
  options: { email, role: { value: 'R', help: 'The new role', required: true, choices: roleNames }, subdomain },
  run: (values, context) =>
    withUser(context, values, async (_, organization, user) => {
      const { changeRole } = await userActions();
      // The choices are the roles' names.
      await changeRole(organization, user.id, roles[values.role] as Role);
      const text = `${user.email} is ${values.role} now`;
      return { text, json: { user_id: user.id, email: user.email, role: values.role } };
    }),
});

export const deactivateUserCommand = defineCommand({
  name: 'user deactivate',
  summary: 'Close an account: its password and API key are refused from now on',
  options: { email, subdomain },
  run: (values, context) =>
    withUser(context, values, async (rooms, organization, user) => {
      const { deactivateUser } = await userActions();
      await deactivateUser(rooms, organization, user.id);
      return { text: `${user.email} is deactivated`, json: { user_id: user.id, email: user.email } };
    }),
});

const powers: Readonly<Record<string, Power>> = {
  'create-users': 'create-users',
  'change-addresses': 'change-addresses',
};

function powerCommand(name: string, summary: string, isGiven: boolean) {
  return defineCommand({
    name,
    summary,
    details:
      'create-users: administrators create accounts by POST /users. change-addresses: owners change the addresses of others by\n' +
      'PATCH /users/{user_id}. Nobody may until the operator lets them.',
    options: {
      email,
      what: { value: 'W', help: 'What it may do', required: true, choices: Object.keys(powers) },
      subdomain,
    },
    run: (values, context) =>
      withUser(context, values, async (rooms, organization, user) => {
        const { setPower } = await userActions();
        // The choices are the powers' names.
        await setPower(rooms, organization, user.id, { power: powers[values.what] as Power, isGiven });
        const text = `${user.deliveryEmail} may ${isGiven ? '' : 'not '}${values.what}`;
        return { text, json: { user_id: user.id, email: user.email, what: values.what, allowed: isGiven } };
      }),
  });
}

export const allowUserCommand = powerCommand('user allow', 'Let an account do what only the operator grants', true);
export const forbidUserCommand = powerCommand('user forbid', 'Take back what `user allow` has granted', false);

async function organizationAt(rooms: Rooms, subdomain = ''): Promise<Organization> {
  const organization = await rooms.organizations.bySubdomain(subdomain);
  if (organization !== undefined) return organization;
  throw new CommandError(
    subdomain === '' ? 'There is no organization at the root domain' : `There is no organization at '${subdomain}'`,
  );
}

function withUser<Result>(
  context: CommandContext,
  account: { readonly email: string; readonly subdomain: string | undefined },
  act: (rooms: Rooms, organization: Organization, user: UserRecord) => Promise<Result>,
): Promise<Result> {
  return withRooms(context, async (rooms) => {
    const organization = await organizationAt(rooms, account.subdomain);
    const { userByAnyAddress } = await import('../features/users/queries.ts');
    return act(rooms, organization, userByAnyAddress(organization.directory, account.email));
  });
}
