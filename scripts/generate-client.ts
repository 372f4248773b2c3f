/** Writes the types and operations of the client from the contract. `npm run check` reports files that are not current. */
import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './client-types/files.ts';

for (const { url, text } of await generatedFiles()) await writeFile(url, text);
