import { defineCommand } from './command.ts';
import { table } from './output.ts';
import { generatePassword, passwordFrom, passwordHelp } from './password.ts';
import { apiKeyOf, withRooms } from './rooms.ts';

export const createOrganizationCommand = defineCommand({
  name: 'org create',
  summary: 'Create an organization and its owner',
  details: 'Without --owner-password a password is made and printed this once.',
  options: {
    subdomain: {
      value: 'S',
      help: "Where it is reached: S.<host of HEDDLE_URL>; '' for the root domain",
      required: true,
    },
    name: { value: 'N', help: "The organization's name", required: true },
    'owner-email': { value: 'E', help: "The owner's email address", required: true },
    'owner-name': { value: 'N', help: "The owner's name", required: true },
    'owner-password': { value: 'P', help: passwordHelp },
  },
  async run(values, context) {
    const given = values['owner-password'];
    const password = given === undefined ? generatePassword() : await passwordFrom(given, context.terminal);
    return withRooms(context, async (rooms) => {
      const [{ createOrganization }, { greetNewcomer }] = await Promise.all([
        import('../features/organizations/actions.ts'),
        import('../features/invitations/actions.ts'),
      ]);
      const wish = {
        subdomain: values.subdomain,
        name: values.name,
        ownerEmail: values['owner-email'],
        ownerName: values['owner-name'],
        ownerPassword: password,
      };
      const { id, subdomain, name, owner } = await createOrganization(rooms, wish, (change, added) =>
        greetNewcomer(rooms, change, added),
      );
      // Who asked there a moment ago was told that there is none.
      rooms.bus.publish(id);
      const url = rooms.address.of(subdomain);
      const apiKey = apiKeyOf(rooms, id, owner);
      const generated = given === undefined ? { owner_password: password } : {};
      const text = [
        `${name} is at ${url}`,
        `owner: ${owner.email}`,
        ...(given === undefined ? [`password: ${password}`] : []),
        `api_key: ${apiKey}`,
      ].join('\n');
      return {
        text,
        json: { id, subdomain, name, url, owner_id: owner.id, owner_email: owner.email, ...generated, api_key: apiKey },
      };
    });
  },
});

export const listOrganizationsCommand = defineCommand({
  name: 'org list',
  summary: 'List the organizations',
  options: {},
  run: (_values, context) =>
    withRooms(context, async (rooms) => {
      const { listOrganizations } = await import('../features/organizations/queries.ts');
      const organizations = await listOrganizations(rooms);
      const rows = organizations.map(({ id, subdomain, name, createdAt, isDeactivated, users }) => ({
        id,
        subdomain,
        name,
        url: rooms.address.of(subdomain),
        users,
        is_deactivated: isDeactivated,
        created_at: createdAt.toISOString(),
      }));
      const lines = rows.map((row) => {
        const notes = row.is_deactivated ? 'deactivated' : '';
        return [String(row.id), row.subdomain || '(root)', row.name, row.url, String(row.users), notes];
      });
      return { text: table(['ID', 'SUBDOMAIN', 'NAME', 'URL', 'USERS', ''], lines), json: rows };
    }),
});
