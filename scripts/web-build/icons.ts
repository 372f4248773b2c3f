import type { WebBuildIcon, WebBuildScreenshot } from '@heddle/server/features/web-app/build-record.ts';

/** What the manifest says about files of `web/icons/`, by their names there. */
const ICONS: Readonly<Record<string, Omit<WebBuildIcon, 'file'>>> = {
  'icon.svg': { sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  'icon-192.png': { sizes: '192x192', type: 'image/png', purpose: 'any' },
  'icon-512.png': { sizes: '512x512', type: 'image/png', purpose: 'any' },
  'maskable-512.png': { sizes: '512x512', type: 'image/png', purpose: 'maskable' },
};

/** The same of pictures of the app. */
const SCREENSHOTS: Readonly<Record<string, Omit<WebBuildScreenshot, 'file'>>> = {
  'screenshot-narrow.webp': { sizes: '320x692', type: 'image/webp', form_factor: 'narrow' },
  'screenshot-wide.webp': { sizes: '640x400', type: 'image/webp', form_factor: 'wide' },
};

/** The built files, with their names in the sources. */
type BuiltFiles = readonly { readonly fileName: string; readonly names?: readonly string[] }[];

/** The icons of a build. */
export function iconsOf(files: BuiltFiles): readonly WebBuildIcon[] {
  return foundIn(files, ICONS);
}

/** The screenshots of a build. */
export function screenshotsOf(files: BuiltFiles): readonly WebBuildScreenshot[] {
  return foundIn(files, SCREENSHOTS);
}

function foundIn<About>(
  files: BuiltFiles,
  wanted: Readonly<Record<string, About>>,
): (About & { readonly file: string })[] {
  return Object.entries(wanted).map(([name, about]) => {
    const built = files.find(({ names }) => names?.includes(name));
    if (built === undefined) throw new Error(`the build has no ${name}`);
    return { file: built.fileName, ...about };
  });
}

/** The icons on the development server, which serves the sources. */
export const SOURCE_ICONS: readonly WebBuildIcon[] = Object.entries(ICONS).map(([name, icon]) => ({
  file: `icons/${name}`,
  ...icon,
}));
