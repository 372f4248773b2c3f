import { ApiError, badRequest } from '@heddle/api/errors.ts';
import { SettingsError } from '@heddle/server/config/settings-error.ts';
import { type Config, ownerEmail } from '@heddle/server/config.ts';
import { greetNewcomer } from '@heddle/server/domain/accounts/accounts/welcome.ts';
import { passwordProblem } from '@heddle/server/domain/credentials/passwords.ts';
import { createOrganization } from '@heddle/server/domain/joining/founding/actions.ts';
import { checkedOrganizationName } from '@heddle/server/domain/organizations/organizations/names.ts';
import { listOrganizations } from '@heddle/server/domain/organizations/organizations/queries.ts';
import { checkedEmail, checkedFullName } from '@heddle/server/domain/users/users/names.ts';
import type { AppContext } from '@heddle/server/extension/app-context.ts';
import type { Result } from './output.ts';
import { generatePassword } from './password.ts';

/**
 * Validates what a first start would create, before it creates anything.
 * @throws SettingsError with a line for each invalid variable
 */
export function checkFirstStart(config: Config): void {
  const { ownerName, organizationName } = config;
  const checks: readonly (readonly [variable: string, check: () => unknown])[] = [
    ['HEDDLE_OWNER_EMAIL', () => checkedEmail(ownerEmail(config))],
    ['HEDDLE_OWNER_NAME', () => checkedFullName(ownerName)],
    ['HEDDLE_OWNER_PASSWORD', () => checkOwnerPassword(config)],
    ['HEDDLE_ORGANIZATION_NAME', () => checkedOrganizationName(organizationName)],
  ];
  const problems = checks.flatMap(([variable, check]) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof ApiError) return `${variable} is not valid: ${error.message}`;
      throw error;
    }
  });
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
}

function checkOwnerPassword(config: Config): void {
  const { ownerName, ownerPassword, organizationName } = config;
  if (ownerPassword === null) return;
  const problem = passwordProblem(ownerPassword, [ownerName, ownerEmail(config), organizationName]);
  if (problem !== undefined) throw badRequest(problem);
}

/**
 * Creates the organization at the root domain and its owner, if the server has no organization yet. Returns the login data for the
 * operator, or undefined if it created nothing. Call `checkFirstStart` before.
 */
export async function prepareFirstStart(app: AppContext): Promise<Result | undefined> {
  const isEmpty = async (): Promise<boolean> => (await listOrganizations(app)).length === 0;
  if (!(await isEmpty())) return undefined;
  const { config } = app;
  const password = config.ownerPassword ?? generatePassword();
  try {
    const { name, owner } = await createOrganization(
      app,
      {
        subdomain: '',
        name: config.organizationName,
        ownerEmail: ownerEmail(config),
        ownerName: config.ownerName,
        ownerPassword: password,
      },
      (change, added) => greetNewcomer(app, change, added),
    );
    const isGenerated = config.ownerPassword === null;
    return {
      text: `
Created the organization ${name} and its owner. Open the address below in a browser, and log in as:

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
    throw error;
  }
}
