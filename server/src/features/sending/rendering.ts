import { organizationSetting } from '../../access/organization-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import type { RenderOptions } from '../../markup/index.ts';

/**
 * How messages that people write are rendered in the organization.
 * @param organizationUrl where it lives, without a slash at the end
 */
export function renderingIn(directory: Directory, organizationUrl: string): RenderOptions {
  const defaultCodeLanguage = organizationSetting(directory, 'default_code_block_language');
  return { allowWildcardMentions: true, organizationUrl, defaultCodeLanguage };
}
