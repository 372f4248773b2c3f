/** Builds the client as a package for others: `npm run build -w client`, then `npm pack ./client/dist`. */
import { join } from 'node:path';
import { buildClient } from './client-package/build.ts';

await buildClient(join(import.meta.dirname, '..', 'client', 'dist'));
