import type { WebBuildIcon } from './build-record.ts';

/** The path of the files of a build, as in `web/vite.config.ts`. */
const FILES_PATH = '/static/app/';

/** The manifest with which browsers install the app (https://www.w3.org/TR/appmanifest/). Each organization is an app of its own. */
export function manifestOf(organizationName: string, icons: readonly WebBuildIcon[]) {
  return {
    id: '/',
    name: organizationName,
    short_name: organizationName,
    description: 'Team chat with Heddle',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#ffffff',
    icons: icons.map(({ file, ...icon }) => ({ src: FILES_PATH + file, ...icon })),
  };
}
