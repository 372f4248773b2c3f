import { defineCommand } from './command.ts';
import { table } from './output.ts';
import { generatePassword, passwordFrom, passwordHelp } from './password.ts';
import { apiKeyOf, organizationAt, ownerOf, withApp } from './with-app.ts';

export const createOrganizationCommand = defineCommand({
  name: 'org create',
  summary: 'Create an organization and its owner',
  details: 'Without --owner-password the command generates a password and prints it once.',
  options: {
    subdomain: {
      value: 'S',
      help: "Its address is S.<host of HEDDLE_URL>; '' stands for the root domain",
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
    return withApp(context, async (app) => {
      const [{ createOrganization }, { greetNewcomer }] = await Promise.all([
        import('../domain/founding/actions.ts'),
        import('../domain/accounts/welcome.ts'),
      ]);
      const wish = {
        subdomain: values.subdomain,
        name: values.name,
        ownerEmail: values['owner-email'],
        ownerName: values['owner-name'],
        ownerPassword: password,
      };
      const { id, subdomain, name, owner } = await createOrganization(app, wish, (change, added) =>
        greetNewcomer(app, change, added),
      );
      // Who asked there a moment ago was told that there is none.
      app.bus.publish(id);
      const url = app.address.of(subdomain);
      const apiKey = apiKeyOf(app, id, owner);
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
    withApp(context, async (app) => {
      const { listOrganizations } = await import('../domain/organizations/queries.ts');
      const organizations = await listOrganizations(app);
      const rows = organizations.map(({ id, subdomain, name, createdAt, isDeactivated, users }) => ({
        id,
        subdomain,
        name,
        url: app.address.of(subdomain),
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

export const renameOrganizationCommand = defineCommand({
  name: 'org rename',
  summary: 'Give an organization another name; its address stays the same',
  options: {
    name: { value: 'N', help: 'The new name', required: true },
    subdomain: { value: 'S', help: 'The subdomain of the organization; the root domain if not given' },
  },
  run: (values, context) =>
    withApp(context, async (app) => {
      const organization = await organizationAt(app, values.subdomain);
      const [{ changeOrganization }, { completed }, { updateOrganization }] = await Promise.all([
        import('../domain/organization-settings/changing.ts'),
        import('@heddle/api/contract.ts'),
        import('@heddle/api/endpoints/organizations.ts'),
      ]);
      const before = organization.directory.organization.name;
      const parameters = completed(updateOrganization, { name: values.name });
      await organization.transact('server', 'exclusive', (change) =>
        changeOrganization(change, ownerOf(change.directory), { parameters, config: app.config }),
      );
      const { id, subdomain, name } = organization.directory.organization;
      return { text: `${before} is now called ${name}.`, json: { id, subdomain, name } };
    }),
});
