import { organizationSetting } from '../../../access/organization-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import type { RenderOptions } from '../../../markup/index.ts';
import { imageProxyOf } from '../../texts/external-images/proxy-addresses.ts';
import { markupLinkifiers } from '../../texts/linkifiers/queries.ts';
import { settingOf } from '../../users/user-settings/queries.ts';

/** The addresses that the renderer needs for links and images. */
export type LinkTargets = Pick<RenderOptions, 'organizationUrl' | 'imageProxy'>;

export function linkTargetsIn(
  app: Pick<AppContext, 'address' | 'config' | 'secret'>,
  directory: Directory,
): LinkTargets {
  const { id, subdomain } = directory.organization;
  return { organizationUrl: app.address.of(subdomain), imageProxy: imageProxyOf(app, id) };
}

/** The options for rendering messages of this author. */
export function renderingIn(directory: Directory, author: UserRecord, targets: LinkTargets): RenderOptions {
  const showsPreviews = organizationSetting(directory, 'inline_image_preview');
  return {
    allowWildcardMentions: true,
    organizationUrl: targets.organizationUrl,
    defaultCodeLanguage: organizationSetting(directory, 'default_code_block_language'),
    translateEmoticons: settingOf(author, 'translate_emoticons'),
    linkifiers: markupLinkifiers(directory),
    showsUploads: showsPreviews,
    imageProxy: showsPreviews ? targets.imageProxy : undefined,
  };
}
