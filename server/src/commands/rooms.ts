import type { OpenRooms } from '../app-context.ts';
import type { Directory } from '../directory/directory.ts';
import type { Organization } from '../directory/organization.ts';
import { Role, type UserRecord } from '../directory/records.ts';
import { apiKeyFor } from '../domain/credentials/api-keys.ts';
import type { Rooms } from '../extension/rooms.ts';
import { type CommandContext, CommandError } from './command.ts';

/**
 * Does a command's work with the rooms that the server's own requests use: what it changes is committed with its events,
 * and a running server is told. Resolves when all of that is done and everything is closed again. Commands load what they work with
 * when they work: to explain themselves they need none of it.
 */
export async function withRooms<Result>(
  { config, log }: Pick<CommandContext, 'config' | 'log'>,
  act: (rooms: OpenRooms) => Promise<Result>,
): Promise<Result> {
  const [{ openRooms }, { openDatabase }] = await Promise.all([import('../app-context.ts'), import('./database.ts')]);
  const database = await openDatabase(config, log, 'command');
  try {
    const rooms = await openRooms({ config, log, connection: database.connection, purpose: 'command' });
    try {
      return await act(rooms);
    } finally {
      await rooms.close();
    }
  } finally {
    await database.stop();
  }
}

/** @throws CommandError where there is none */
export async function organizationAt(rooms: Rooms, subdomain = ''): Promise<Organization> {
  const organization = await rooms.organizations.bySubdomain(subdomain);
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
export function apiKeyOf({ secret }: Pick<Rooms, 'secret'>, organizationId: number, user: UserRecord): string {
  return apiKeyFor(secret, organizationId, user.id, user.apiKeyVersion);
}
