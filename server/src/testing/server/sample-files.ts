/** Endpoints of the sample server that take files and bytes, and return files, pages and redirects. */
import { defaulted, defineEndpoint, inPath, optional, required } from '@heddle/api/contract.ts';
import { notFound } from '@heddle/api/errors.ts';
import Type from 'typebox';
import { type FileSource, file, page, redirect } from '../../http/answers/answers.ts';
import { fileInMemory } from '../../http/answers/file-sources.ts';
import { type Route, routeFor } from '../../http/requests/route.ts';

const received = Type.Object({
  name: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  topic: Type.Optional(Type.String()),
  bytes: Type.Integer(),
});

const upload = defineEndpoint({
  operationId: 'upload',
  method: 'POST',
  path: '/uploads',
  area: 'samples',
  summary: 'Takes a file',
  authentication: 'required',
  parameters: { topic: optional(Type.String()), refuse: defaulted(Type.Boolean(), false) },
  body: { takes: 'file', description: 'Whatever' },
  response: received,
  errors: ['NOT_FOUND'],
});

const uploadForMore = defineEndpoint({
  operationId: 'upload-for-more',
  method: 'POST',
  path: '/uploads/strict',
  area: 'samples',
  summary: 'Takes a small file with a topic',
  authentication: 'none',
  parameters: { topic: required(Type.String()) },
  body: { takes: 'file' },
  response: received,
  errors: [],
});

const uploadPerhaps = defineEndpoint({
  operationId: 'upload-perhaps',
  method: 'POST',
  path: '/uploads/perhaps',
  area: 'samples',
  summary: 'Takes a topic, and perhaps a file',
  authentication: 'required',
  parameters: { topic: required(Type.String()) },
  body: { takes: 'optional-file' },
  response: received,
  errors: [],
});

const append = defineEndpoint({
  operationId: 'append',
  method: 'PATCH',
  path: '/uploads/{upload_id}',
  area: 'samples',
  summary: 'Takes bytes',
  authentication: 'required',
  parameters: { upload_id: inPath(Type.Integer()), refuse: defaulted(Type.Boolean(), false) },
  body: { takes: 'bytes', contentTypes: ['application/octet-stream'] },
  response: received,
  errors: ['NOT_FOUND'],
});

const download = defineEndpoint({
  operationId: 'download',
  method: 'GET',
  path: '/files/{name}',
  area: 'samples',
  summary: 'Gives a file',
  authentication: 'none',
  parameters: { name: inPath(Type.String()) },
  response: { kind: 'file', contentTypes: ['*/*'] },
  errors: [],
});

const elsewhere = defineEndpoint({
  operationId: 'go-elsewhere',
  method: 'POST',
  path: '/elsewhere',
  area: 'samples',
  summary: 'Leads elsewhere',
  authentication: 'none',
  parameters: {},
  response: { kind: 'redirect' },
  errors: [],
});

const welcome = defineEndpoint({
  operationId: 'welcome',
  method: 'GET',
  path: '/welcome/{name}',
  outsideApi: true,
  area: 'samples',
  summary: 'A page',
  authentication: 'none',
  parameters: { name: inPath(Type.String()), scripts: defaulted(Type.Boolean(), false) },
  response: { kind: 'page' },
  errors: ['NOT_FOUND'],
});

/** Observes the files that arrive. */
export class Arrivals {
  /** Called at each chunk of a body with the number of bytes so far. */
  onProgress: (bytes: number) => void = () => undefined;
  /** The reason why the last failed body failed. */
  failure: unknown;
  #failed = Promise.withResolvers<unknown>();

  /** Resolves with the reason when a body fails. */
  get failed(): Promise<unknown> {
    return this.#failed.promise;
  }

  async count(content: AsyncIterable<Buffer>): Promise<number> {
    let bytes = 0;
    try {
      for await (const chunk of content) {
        bytes += chunk.length;
        this.onProgress(bytes);
      }
      return bytes;
    } catch (error) {
      this.#failed.resolve(error);
      this.#failed = Promise.withResolvers();
      throw error;
    }
  }
}

const modifiedAt = new Date('2024-02-03T04:05:06Z');
const letters: FileSource = { ...fileInMemory('abcdefghijklmnopqrstuvwxyz', 'text/plain'), modifiedAt };
const files: Readonly<Record<string, FileSource>> = {
  letters,
  empty: fileInMemory('', 'text/plain'),
  long: fileInMemory('once upon a time '.repeat(300), 'text/plain'),
  lost: {
    ...letters,
    open: () => {
      throw new Error('the store is gone');
    },
  },
};

/** A limit that a test can exceed quickly. */
export const smallLimits = { maximumBytes: 10_000, withinSeconds: 0.3, maximumFields: 3 };
const largeLimits = { maximumBytes: 256 * 1024 * 1024, withinSeconds: 120, maximumFields: 3 };

export function sampleFileRoutes<Organization, Caller>(arrivals: Arrivals): Route<Organization, Caller>[] {
  const route = routeFor<Organization, Caller>();
  return [
    route(upload, { body: largeLimits }, async ({ parameters: { refuse, topic }, body }) => {
      if (refuse) throw notFound();
      const bytes = await arrivals.count(body.content);
      return { name: body.name, type: body.contentType, bytes, ...(topic === undefined ? {} : { topic }) };
    }),
    route(uploadForMore, { body: smallLimits }, async ({ parameters: { topic }, body }) => ({
      name: body.name,
      topic,
      bytes: await arrivals.count(body.content),
    })),
    route(uploadPerhaps, { body: largeLimits }, async ({ parameters: { topic }, body }) => ({
      topic,
      bytes: body === undefined ? -1 : await arrivals.count(body.content),
    })),
    route(append, { body: largeLimits }, async ({ parameters: { refuse, upload_id: id }, body }) => {
      if (refuse) throw notFound();
      const bytes = await arrivals.count(body.content);
      return { name: String(id), bytes, ...(body.contentType === undefined ? {} : { type: body.contentType }) };
    }),
    route(download, {}, ({ parameters: { name } }) => {
      if (name === 'elsewhere') return redirect('https://files.example.com/x');
      const source = files[name];
      if (source === undefined) throw notFound();
      return file(source, { name: 'Grüße "1".txt', cacheControl: 'private, max-age=60' });
    }),
    route(elsewhere, {}, () => redirect('/api/docs/', 303)),
    route(welcome, {}, ({ parameters: { name, scripts } }) => {
      if (name === 'nobody') throw notFound();
      return page('<!doctype html><title>Welcome</title>', { cacheControl: 'private, no-cache', hasScripts: scripts });
    }),
  ];
}
