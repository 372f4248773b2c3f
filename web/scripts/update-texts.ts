/** `npm run texts`: brings the catalogs of the app and of the server up to date and says what is missing. */
import { basename, join } from 'node:path';
import { checkTexts, updateCatalogs, workspacesWithTexts } from './catalogs.ts';

let missing = 0;
for (const { folder, locales } of workspacesWithTexts(join(import.meta.dirname, '..', '..'))) {
  missing += await updateCatalogs(folder, locales);
  for (const { path, line, problem } of await checkTexts(folder, locales)) {
    process.stdout.write(`${basename(folder)}/${path}:${line}: ${problem}\n`);
  }
}
process.stdout.write(missing === 0 ? 'All texts are translated.\n' : `${missing} texts need a translation.\n`);
process.exitCode = missing === 0 ? 0 : 1;
