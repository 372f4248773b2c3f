import { defineCommand } from './command.ts';
import { listing } from './output.ts';
import { generatePassword, passwordFrom, passwordHelp } from './password.ts';
import { apiKeyOf, organizationAt, ownerOf, withApp } from './with-app.ts';

const create = defineCommand({
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
        import('@heddle/server/domain/joining/founding/actions.ts'),
        import('@heddle/server/domain/accounts/accounts/welcome.ts'),
      ]);
      const { id, subdomain, name, owner } = await createOrganization(
        app,
        {
          subdomain: values.subdomain,
          name: values.name,
          ownerEmail: values['owner-email'],
          ownerName: values['owner-name'],
          ownerPassword: password,
        },
        (change, added) => greetNewcomer(app, change, added),
      );
      // A running server may have cached that this subdomain has none.
      app.bus.publish(id);
      const url = app.address.of(subdomain);
      const apiKey = apiKeyOf(app, id, owner);
      const generated = given === undefined ? { owner_password: password } : {};
      const passwordLine = given === undefined ? `\npassword: ${password}` : '';
      return {
        text: `${name} is at ${url}\nowner: ${owner.email}${passwordLine}\napi_key: ${apiKey}`,
        json: { id, subdomain, name, url, owner_id: owner.id, owner_email: owner.email, ...generated, api_key: apiKey },
      };
    });
  },
});

const list = defineCommand({
  name: 'org list',
  summary: 'List the organizations',
  options: {},
  run: (_values, context) =>
    withApp(context, async (app) => {
      const { listOrganizations } = await import('@heddle/server/domain/organizations/organizations/queries.ts');
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
      return listing(rows, {
        ID: ({ id }) => String(id),
        SUBDOMAIN: ({ subdomain }) => subdomain || '(root)',
        NAME: ({ name }) => name,
        URL: ({ url }) => url,
        USERS: ({ users }) => String(users),
        '': (row) => (row.is_deactivated ? 'deactivated' : ''),
      });
    }),
});

const rename = defineCommand({
  name: 'org rename',
  summary: 'Rename an organization; its address stays the same',
  options: {
    name: { value: 'N', help: 'The new name', required: true },
    subdomain: { value: 'S', help: 'The subdomain of the organization; the root domain if not given' },
  },
  run: (values, context) =>
    withApp(context, async (app) => {
      const organization = await organizationAt(app, values.subdomain);
      const [{ changeOrganization }, { completed }, { updateOrganization }] = await Promise.all([
        import('@heddle/server/domain/organizations/organization-settings/changing.ts'),
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

export const organizationCommands = [create, list, rename];
