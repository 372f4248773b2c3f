import type { Aspect } from '../directory/aspects.ts';
import type { Directory } from '../directory/directory.ts';
import { RawFields, type RawJson, rawJson, serializedPiece } from '../http/answers/raw-json.ts';

/** Computes a value from a directory, and again only when one of the aspects has changed. */
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

/**
 * Fields of the initial state that many readers share. They are serialized once, and again when an aspect has changed.
 */
export function rememberedState(
  aspects: readonly Aspect[],
  build: (directory: Directory) => object,
): (directory: Directory) => Readonly<Record<string, RawJson>> {
  return rememberedBy(aspects, (directory) => {
    const fields = Object.entries(build(directory));
    return Object.fromEntries(fields.map(([name, value]) => [name, rememberedJson(JSON.stringify(value))] as const));
  });
}

/** The same for many small fields that clients get together. They are serialized as one piece. */
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

/** A serialized field, in the form that is best cached. */
export function rememberedJson(text: string): RawJson {
  return rawJson(serializedPiece(text));
}
