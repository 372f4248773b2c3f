/** `npm run texts`: brings the catalogs of translations up to date and says what is missing. */
import { join } from 'node:path';
import { checkTexts, updateCatalogs } from './catalogs.ts';

const web = join(import.meta.dirname, '..');
const missing = await updateCatalogs(web);
for (const { path, line, problem } of await checkTexts(web)) process.stdout.write(`web/${path}:${line}: ${problem}\n`);
process.stdout.write(missing === 0 ? 'All texts are translated.\n' : `${missing} texts need a translation.\n`);
process.exitCode = missing === 0 ? 0 : 1;
