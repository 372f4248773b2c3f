/** The program of the worker process that reads mails. */
import { serveWorker } from '../../worker-process/serve.ts';
import { type ReadingRequest, readMail } from './parsing.ts';

await serveWorker(async ({ value, bytes: [source = Buffer.alloc(0)] }) => {
  const { mail, files } = await readMail(value as ReadingRequest, source);
  return { value: mail, bytes: files };
});
