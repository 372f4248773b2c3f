import { readdir } from 'node:fs/promises';
import type { TSchema } from 'typebox';
import { importAll } from './import-all.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';

/**
 * The schemas of all events, by event type. Each file in `events/` exports schemas named `<something>Event`. Each schema describes all events
 * of one type.
 */
export async function allEvents(): Promise<ReadonlyMap<string, TSchema>> {
  const directory = new URL('events/', import.meta.url);
  const files = (await readdir(directory)).filter((file) => /(?<!\.test)\.[jt]s$/.test(file));
  const events = new Map<string, TSchema>();
  const modules = await importAll<TSchema>(files.sort().map((file) => new URL(file, directory).href));
  for (const [index, module] of modules.entries()) {
    for (const [name, schema] of Object.entries(module)) {
      if (!name.endsWith('Event')) continue;
      const [type, ...others] = new Set(typesOf(jsonSchemaOf(schema)));
      if (type === undefined || others.length > 0)
        throw new Error(`${files[index]}: ${name} must have exactly one type`);
      if (events.has(type)) throw new Error(`${files[index]}: events of type ${type} are defined twice`);
      events.set(type, schema);
    }
  }
  return events;
}

/** The values of `type`. */
function typesOf(schema: JsonSchema): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  const type = schema.properties?.type?.const;
  return typeof type === 'string' ? [type] : [];
}
