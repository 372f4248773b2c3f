import type { WebBuildIcon } from '@heddle/server/features/web-app/build-record.ts';

/** What the manifest says about files of `web/icons/`, by their names there. */
const ICONS: Readonly<Record<string, Omit<WebBuildIcon, 'file'>>> = {
  'icon.svg': { sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  'icon-192.png': { sizes: '192x192', type: 'image/png', purpose: 'any' },
  'icon-512.png': { sizes: '512x512', type: 'image/png', purpose: 'any' },
  'maskable-512.png': { sizes: '512x512', type: 'image/png', purpose: 'maskable' },
};

/**
 * The icons of a build.
 * @param files the built files, with their names in the sources
 */
export function iconsOf(
  files: readonly { readonly fileName: string; readonly names?: readonly string[] }[],
): readonly WebBuildIcon[] {
  return Object.entries(ICONS).map(([name, icon]) => {
    const built = files.find(({ names }) => names?.includes(name));
    if (built === undefined) throw new Error(`the build has no ${name}`);
    return { file: built.fileName, ...icon };
  });
}

/** The icons on the development server, which serves the sources. */
export const SOURCE_ICONS: readonly WebBuildIcon[] = Object.entries(ICONS).map(([name, icon]) => ({
  file: `icons/${name}`,
  ...icon,
}));
