import { ApiError } from '@heddle/api/errors.ts';
import { ownerEmail, SettingsError } from '../config.ts';
import { createOrganization } from '../features/organizations/actions.ts';
import { listOrganizations } from '../features/organizations/queries.ts';
import type { Rooms } from '../features/rooms.ts';
import type { Said } from './output.ts';
import { generatePassword } from './password.ts';

/**
 * Creates the organization at the root domain and its owner where the server has no organization yet. Returns what to
 * tell the operator, this once; undefined where there was nothing to do.
 * @throws SettingsError when the owner or organization that the settings describe is not acceptable
 */
export async function prepareFirstStart(rooms: Rooms): Promise<Said | undefined> {
  const isEmpty = async (): Promise<boolean> => (await listOrganizations(rooms)).length === 0;
  if (!(await isEmpty())) return undefined;
  const { config } = rooms;
  const password = config.ownerPassword ?? generatePassword();
  try {
    const { name, owner } = await createOrganization(rooms, {
      subdomain: '',
      name: config.organizationName,
      ownerEmail: ownerEmail(config),
      ownerName: config.ownerName,
      ownerPassword: password,
    });
    const isGenerated = config.ownerPassword === null;
    return {
      text: `
Created the organization ${name} and its owner. Log in with any client at the address below as:

  email     ${owner.email}
  password  ${isGenerated ? `${password}   (not shown again)` : 'the one in HEDDLE_OWNER_PASSWORD'}

`,
      json: {
        created: { organization: name, owner_email: owner.email, ...(isGenerated && { owner_password: password }) },
      },
    };
  } catch (error) {
    // Another process that started at the same time was first.
    if (error instanceof ApiError && !(await isEmpty())) return undefined;
    if (!(error instanceof ApiError)) throw error;
    throw new SettingsError(
      `The first start creates an organization and its owner, and cannot with these HEDDLE_OWNER_EMAIL, ` +
        `HEDDLE_OWNER_NAME, HEDDLE_OWNER_PASSWORD and HEDDLE_ORGANIZATION_NAME: ${error.message}`,
    );
  }
}
