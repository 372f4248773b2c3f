/** Builds the gallery for tests and screenshots. `npx vite web/src/gallery` serves it. It is no part of the app. */
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { ownAriaLocales, texts } from '../../scripts/vite-texts.ts';

const web = join(import.meta.dirname, '../..');

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), texts(web), ownAriaLocales(['en', 'de'])],
  build: { modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
});
