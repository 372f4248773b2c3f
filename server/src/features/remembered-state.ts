import type { Aspect, Directory } from '../directory/directory.ts';
import { RawFields, type RawJson, rawJson, serializedPiece } from '../http/route.ts';

/** Computes something of a directory once, and again only when one of the aspects has changed that it follows from. */
export function rememberedBy<Value>(
  aspects: readonly Aspect[],
  compute: (directory: Directory) => Value,
): (directory: Directory) => Value {
  const remembered = new WeakMap<Directory, { readonly version: number; readonly value: Value }>();
  return (directory) => {
    const version = directory.version(...aspects);
    const known = remembered.get(directory);
    if (known?.version === version) return known.value;
    const value = compute(directory);
    remembered.set(directory, { version, value });
    return value;
  };
}

/** Fields of the initial state that are the same for many who register: they are serialized once, and again when they may differ. */
export function rememberedState(
  aspects: readonly Aspect[],
  build: (directory: Directory) => object,
): (directory: Directory) => Readonly<Record<string, RawJson>> {
  return rememberedBy(aspects, (directory) => {
    const fields = Object.entries(build(directory));
    return Object.fromEntries(fields.map(([name, value]) => [name, rememberedJson(JSON.stringify(value))] as const));
  });
}

/** The same of many small fields that nobody gets without the others: they are serialized and sent as one. */
export function rememberedFields(
  aspects: readonly Aspect[],
  build: (directory: Directory) => object,
): (directory: Directory) => Readonly<Record<string, RawFields>> {
  return rememberedBy(aspects, (directory) => {
    const fields = build(directory);
    const [name = ''] = Object.keys(fields);
    return { [name]: new RawFields(fields) };
  });
}

/** A field that is serialized already, as it is best remembered. */
export function rememberedJson(text: string): RawJson {
  return rawJson(serializedPiece(text));
}
