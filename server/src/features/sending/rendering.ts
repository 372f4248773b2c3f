import { organizationSetting } from '../../access/organization-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { RenderOptions } from '../../markup/index.ts';
import { markupLinkifiers } from '../linkifiers/queries.ts';
import { settingOf } from '../user-settings/queries.ts';

/**
 * How messages that the author writes are rendered in the organization.
 * @param organizationUrl where it lives, without a slash at the end
 */
export function renderingIn(directory: Directory, author: UserRecord, organizationUrl: string): RenderOptions {
  const defaultCodeLanguage = organizationSetting(directory, 'default_code_block_language');
  const translateEmoticons = settingOf(author, 'translate_emoticons');
  const linkifiers = markupLinkifiers(directory);
  const showsUploads = organizationSetting(directory, 'inline_image_preview');
  return {
    allowWildcardMentions: true,
    organizationUrl,
    defaultCodeLanguage,
    translateEmoticons,
    linkifiers,
    showsUploads,
  };
}
