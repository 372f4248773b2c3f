import type { Directory } from '../directory/directory.ts';
import { type RawJson, rawJson } from '../http/route.ts';

/**
 * Fields of the initial state that follow from the users alone and are the same for many who register: they are serialized once, and
 * again only when a user has changed.
 */
export function rememberedByUsers(
  build: (directory: Directory) => object,
): (directory: Directory) => Readonly<Record<string, RawJson>> {
  const remembered = new WeakMap<Directory, { asOf: number; fields: Readonly<Record<string, RawJson>> }>();
  return (directory) => {
    const known = remembered.get(directory);
    if (known?.asOf === directory.usersChangedAt) return known.fields;
    const built = Object.entries(build(directory));
    const fields = Object.fromEntries(
      built.map(([name, value]) => [name, rawJson(Buffer.from(JSON.stringify(value)))] as const),
    );
    remembered.set(directory, { asOf: directory.usersChangedAt, fields });
    return fields;
  };
}
