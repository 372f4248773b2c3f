import type { Directory } from '../directory/directory.ts';
import type { Organization } from '../directory/organization.ts';
import { Role, type UserRecord } from '../directory/records.ts';
import { apiKeyFor } from '../domain/credentials/api-keys.ts';
import type { AppContext } from '../extension/app-context.ts';
import type { OpenApp } from '../open-app.ts';
import { type CommandContext, CommandError } from './command.ts';

/**
 * Runs a command with the same application context that requests use. Changes are committed with their events, and running
 * servers are notified. Resolves when everything is closed. The modules are loaded here, because help needs none of them.
 */
export async function withApp<Result>(
  { config, log }: Pick<CommandContext, 'config' | 'log'>,
  act: (app: OpenApp) => Promise<Result>,
): Promise<Result> {
  const [{ openApp }, { openDatabase }] = await Promise.all([import('../open-app.ts'), import('./database.ts')]);
  const database = await openDatabase(config, log, 'command');
  try {
    const app = await openApp({ config, log, connection: database.connection, purpose: 'command' });
    try {
      return await act(app);
    } finally {
      await app.close();
    }
  } finally {
    await database.stop();
  }
}

/** @throws CommandError where there is none */
export async function organizationAt(app: AppContext, subdomain = ''): Promise<Organization> {
  const organization = await app.organizations.bySubdomain(subdomain);
  if (organization !== undefined) return organization;
  throw new CommandError(
    subdomain === '' ? 'There is no organization at the root domain.' : `There is no organization at '${subdomain}'.`,
  );
}

/** Actions need to know who acts: for the operator, that is an owner. An organization keeps at least one. */
export function ownerOf({ users }: Pick<Directory, 'users'>): UserRecord {
  for (const user of users.values()) if (user.isActive && user.role === Role.owner) return user;
  throw new CommandError('The organization has no owner.');
}

/** The API key of a user, who may just have been created. */
export function apiKeyOf({ secret }: Pick<AppContext, 'secret'>, organizationId: number, user: UserRecord): string {
  return apiKeyFor(secret, organizationId, user.id, user.apiKeyVersion);
}
