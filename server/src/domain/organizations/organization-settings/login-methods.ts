import { badRequest } from '@heddle/api/errors.ts';
import type { Config } from '../../../config.ts';
import { loginMethods } from '../../credentials/login-methods.ts';

/**
 * An organization cannot choose among the server's login methods.
 * @throws ApiError `BAD_REQUEST`: the choice differs from the server's methods
 */
export function checkLoginMethods(config: Config, chosen: Readonly<Record<string, boolean>>): void {
  const methods = loginMethods(config);
  for (const name of Object.keys(chosen)) {
    if (methods.includes(name)) continue;
    const valid = methods.map((method) => `'${method}'`).join(', ');
    throw badRequest(`Invalid authentication method: ${name}. Valid methods are: [${valid}]`);
  }
  const enabled = Object.values(chosen);
  if (!enabled.includes(true)) throw badRequest('At least one authentication method must be enabled.');
  if (enabled.includes(false)) throw badRequest('This server does not let organizations choose ways to log in yet.');
}
