/** Plugin of the build: the frame that the page shows before its scripts run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LATIN_FONT_FILE } from '@heddle/api/web-app.ts';
import type { Plugin } from 'vite';

/** The layer of the frame's rules. It is the first, so that the sheets of the app win over it. */
const LAYER = /@layer first\s*\{/;
const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/;
/** Greek, Cyrillic and rarer letters are files of their own, which few pages need. */
const LATIN_FONT = /^inter-latin-wght-normal-.*\.woff2$/;
const SHEET = /[ \t]*<link rel="stylesheet"[^>]*>\n?/g;

/**
 * Writes the tokens that the frame uses into its rules, and moves the sheets of the app behind the frame. A browser paints what stands before a
 * sheet without waiting for it. `web` is the folder of the web app, and `base` the
 * path of the app's files on the server.
 */
export function firstFrame(web: string, base: string): Plugin {
  return {
    name: 'heddle:first-frame',
    transformIndexHtml: {
      order: 'post',
      handler(page, { bundle }) {
        const html = page.replace('</head>', `${preloads(Object.keys(bundle ?? {}), base)}</head>`);
        const [, rules = ''] = STYLE.exec(html) ?? [];
        if (!LAYER.test(rules)) return html;
        const tokens = tokensFor(rules, readFileSync(join(web, 'src/design/tokens.css'), 'utf8'));
        const framed = html.replace(LAYER, (layer) => layer + tokens);
        const sheets = framed.match(SHEET) ?? [];
        return framed.replace(SHEET, '').replace(/[ \t]*<\/body>/, (end) => sheets.join('') + end);
      },
    },
  };
}

/** Requests the font before the sheet that names it. Without it, the first texts would change their font. */
function preloads(files: readonly string[], base: string): string {
  const font = files.find((name) => LATIN_FONT.test(name));
  if (font === undefined) return '';
  if (font !== LATIN_FONT_FILE) throw new Error(`the name of the font is ${font} now: change it in api/src/web-app.ts`);
  return `  <link rel="preload" href="${base}${font}" as="font" type="font/woff2" crossorigin>\n  `;
}

/** The definitions of the custom properties that `rules` use, for each theme, density and kind of pointer. */
function tokensFor(rules: string, sheet: string): string {
  const used = new Set([...rules.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  const blocks = sheet.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/(@media [^{]+\{\s*)?(:root[^{]*)\{([^{}]*)\}/g);
  return [...blocks]
    .map(([, media, selector = '', body = '']) => {
      const kept = [...body.matchAll(/([\w-]+):\s*([^;]+);/g)].filter(
        ([, name]) => name === 'color-scheme' || used.has(name),
      );
      if (kept.length === 0) return '';
      const rule = `${selector.trim()}{${kept.map(([, name, value]) => `${name}:${value}`).join(';')}}`;
      return media === undefined ? rule : `${media.trim()}${rule}}`;
    })
    .join('');
}
