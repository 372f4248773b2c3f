import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { chunkGroups, EARLY_SCRIPT } from './scripts/chunks.ts';
import { firstFrame } from './scripts/vite-frame.ts';
import { oneFileOfParts } from './scripts/vite-parts.ts';
import { ownAriaLocales, texts } from './scripts/vite-texts.ts';

/** The path of the app's files on the server (`api/src/endpoints/web-app.ts`). Names have no folders there. */
export const FILES_PATH = '/static/app/';

export default defineConfig(webConfig(import.meta.dirname));

/**
 * The configuration of builds and of the development server.
 * @param root the directory with `index.html`
 */
export function webConfig(root: string): UserConfig {
  return {
    root,
    base: FILES_PATH,
    publicDir: false,
    plugins: [
      react(),
      texts(root),
      ownAriaLocales(['de', 'en']),
      earlyScript(root),
      firstFrame(root, FILES_PATH),
      oneFileOfParts(root),
      icons(root),
      modernFonts(),
      layers(),
    ],
    build: {
      target: 'baseline-widely-available',
      assetsDir: '',
      // An inlined file would be a `data:` URL, which the content security policy forbids for fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: { main: join(root, 'index.html') },
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
          codeSplitting: { groups: chunkGroups(root) },
        },
      },
    },
  };
}

/** The layers of all styles, the strongest last, as in `src/design/styles.css`. */
const LAYERS = '@layer reset,tokens,base,components,views;';

/**
 * Repeats the order of the layers in each file of styles. The first file that a browser reads decides it, and that can be
 * any file: the styles of components that several chunks share are a file of their own.
 */
function layers(): Plugin {
  return {
    name: 'heddle:layers',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = LAYERS + String(file.source);
        }
      },
    },
  };
}

/** Adds the early script behind the element that it reads. It is `async`, so it waits for nothing else. */
function earlyScript(root: string): Plugin {
  return {
    name: 'heddle:early-script',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const src = FILES_PATH + (bundle === undefined ? EARLY_SCRIPT : earlyChunk(bundle, root));
        const script = `<script type="module" async fetchpriority="high" src="${src}"></script>`;
        return html.replace(/<script type="application\/json".*<\/script>/, `$&\n    ${script}`);
      },
    },
  };
}

/** The name of the chunk with the early script. The app imports the script, so it is a chunk and no entry. */
function earlyChunk(bundle: Rolldown.OutputBundle, root: string): string {
  const chunk = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.moduleIds.includes(join(root, EARLY_SCRIPT)),
  );
  if (chunk?.type !== 'chunk') throw new Error(`nothing imports ${EARLY_SCRIPT}`);
  // It would wait for the other files.
  if (chunk.imports.length > 0) throw new Error(`${EARLY_SCRIPT} must not import ${chunk.imports.join(', ')}`);
  return chunk.fileName;
}

/** The manifest names the icons, and the server writes the manifest. So the build must contain icons that no script mentions. */
function icons(root: string): Plugin {
  const directory = join(root, 'icons');
  return {
    name: 'heddle:icons',
    apply: 'build',
    buildStart() {
      for (const name of readdirSync(directory)) {
        this.emitFile({ type: 'asset', name, source: readFileSync(join(directory, name)) });
      }
    },
  };
}

/** Every supported browser reads WOFF 2. The build leaves out the older forms of the fonts of formulas. */
function modernFonts(): Plugin {
  return {
    name: 'heddle:modern-fonts',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (/\.(?:woff|ttf)$/.test(name)) delete bundle[name];
        if (file.type !== 'asset' || !name.endsWith('.css')) continue;
        file.source = String(file.source).replace(/,\s*url\([^()]*\.(?:woff|ttf)\)\s*format\([^()]*\)/g, '');
      }
    },
  };
}
