import type { ConnectionSettings } from '@heddle/server/db/connection-settings.ts';
import type { Directory } from '@heddle/server/directory/directory.ts';
import type { Organization } from '@heddle/server/directory/organization.ts';
import { Role, type UserRecord } from '@heddle/server/directory/records.ts';
import { apiKeyFor } from '@heddle/server/domain/credentials/api-keys.ts';
import type { AppContext } from '@heddle/server/extension/app-context.ts';
import type { OpenApp } from '@heddle/server/open-app.ts';
import { type CommandContext, CommandError } from './command.ts';
import type { OpenDatabase } from './database.ts';

type Settings = Pick<CommandContext, 'config' | 'log'>;

/** Runs `act` with the database, and disconnects. `serve` requires exclusive use of the data directory. */
export async function withDatabase<Result>(
  { config, log }: Settings,
  purpose: 'serve' | 'command',
  act: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const { openDatabase } = await import('./database.ts');
  const database = await openDatabase(config, log, purpose);
  try {
    return await act(database);
  } finally {
    await database.stop();
  }
}

/**
 * Runs `act` in the context that requests also use. So changes commit with their events, and a running server notifies its clients.
 * Resolves when that is done and everything is closed.
 */
export function withApp<Result>(
  { config, log }: Settings,
  act: (app: OpenApp, connection: ConnectionSettings) => Promise<Result>,
): Promise<Result> {
  return withDatabase({ config, log }, 'command', async ({ connection }) => {
    const { openApp } = await import('@heddle/server/open-app.ts');
    const app = await openApp({ config, log, connection, purpose: 'command' });
    try {
      return await act(app, connection);
    } finally {
      await app.close();
    }
  });
}

/** @throws CommandError if there is none */
export async function organizationAt(app: AppContext, subdomain = ''): Promise<Organization> {
  const organization = await app.organizations.bySubdomain(subdomain);
  if (organization !== undefined) return organization;
  throw new CommandError(
    subdomain === '' ? 'There is no organization at the root domain.' : `There is no organization at '${subdomain}'.`,
  );
}

/** Every action has a caller. The operator acts as an owner of the organization, which always has one. */
export function ownerOf({ users }: Pick<Directory, 'users'>): UserRecord {
  for (const user of users.values()) if (user.isActive && user.role === Role.owner) return user;
  throw new CommandError('The organization has no owner.');
}

/** The API key of a user, who may be new. */
export function apiKeyOf({ secret }: Pick<AppContext, 'secret'>, organizationId: number, user: UserRecord): string {
  return apiKeyFor(secret, organizationId, user.id, user.apiKeyVersion);
}
