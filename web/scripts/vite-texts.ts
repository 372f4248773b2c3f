/** Plugins of the build: the texts of the app, and the locales of React Aria. */
import type { Plugin } from 'vite';
import { compileCatalog } from './catalogs.ts';
import { readTexts } from './texts.ts';

const PREFIX = 'virtual:texts/';

/** Provides the compiled texts as modules `virtual:texts/<locale>`. `web` is the folder of the web app. */
export function texts(web: string): Plugin {
  return {
    name: 'heddle-texts',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const catalog = await compileCatalog(web, id.slice(PREFIX.length + 1), await readTexts(web));
      // JSON.parse reads a large constant faster than the parser of JavaScript.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(catalog))});`;
    },
    // In development a new text shows its English source at once. The catalogs load again with the page.
    handleHotUpdate({ file, server }) {
      const isCatalog = file.includes('/locales/') && file.endsWith('.json');
      if (!isCatalog && !/\/src\/.*\.tsx?$/.test(file)) return;
      for (const module of server.moduleGraph.idToModuleMap.values()) {
        if (module.id?.startsWith(`\0${PREFIX}`)) server.moduleGraph.invalidateModule(module);
      }
      if (isCatalog) server.ws.send({ type: 'full-reload' });
    },
  };
}

const ARIA_LOCALE = /\/(?:react-aria|react-stately|react-aria-components)\/.*\/intl\/.*\/([a-z]{2})-[A-Z]{2}\.m?js$/;

/** React Aria contains its texts in 34 languages. The app needs those of its own languages. */
export function ownAriaLocales(locales: readonly string[]): Plugin {
  return {
    name: 'heddle-aria-locales',
    enforce: 'pre',
    load(id) {
      const [, language] = ARIA_LOCALE.exec(id.replaceAll('\\', '/')) ?? [];
      return language === undefined || locales.includes(language) ? undefined : 'export default {};';
    },
  };
}
