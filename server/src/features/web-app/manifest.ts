import type { Language } from '../../languages/language.ts';
import type { WebBuildIcon, WebBuildScreenshot } from './build-record.ts';

/** The path of the files of a build, as in `web/vite.config.ts`. */
const FILES_PATH = '/static/app/';

/** Where browsers send what people share with the app (`api/src/endpoints/web-app.ts`). */
const SHARE_PATH = '/share';

export interface ManifestContent {
  readonly organizationName: string;
  readonly icons: readonly WebBuildIcon[];
  readonly screenshots: readonly WebBuildScreenshot[];
  readonly language: Language;
}

/**
 * The manifest with which browsers install the app (https://www.w3.org/TR/appmanifest/). Each organization is an app of its own. The page has the
 * colours of both themes; these are for the moment before it.
 */
export function manifestOf({ organizationName, icons, screenshots, language }: ManifestContent) {
  const { t } = language;
  const icon = icons.find(({ sizes }) => sizes === '192x192');
  const shortcut = (name: string, fragment: string) => ({
    name,
    url: `/#${fragment}`,
    ...(icon !== undefined && { icons: [{ src: FILES_PATH + icon.file, sizes: icon.sizes, type: icon.type }] }),
  });
  return {
    id: '/',
    lang: language.tag,
    name: organizationName,
    short_name: organizationName,
    description: t('Team chat with Heddle'),
    // With a fragment, an open window shows the home view without a reload.
    start_url: '/#',
    scope: '/',
    display: 'standalone',
    launch_handler: { client_mode: ['navigate-existing', 'auto'] },
    background_color: '#ffffff',
    theme_color: '#ffffff',
    categories: ['business', 'productivity', 'social'],
    icons: icons.map(({ file, ...about }) => ({ src: FILES_PATH + file, ...about })),
    screenshots: screenshots.map(({ file, ...about }) => ({ src: FILES_PATH + file, ...about })),
    shortcuts: [
      shortcut(t('New message'), 'new-message'),
      shortcut(t('Inbox'), 'inbox'),
      shortcut(t('Search'), 'search'),
    ],
    share_target: {
      action: SHARE_PATH,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files', accept: ['*/*'] }] },
    },
  };
}
