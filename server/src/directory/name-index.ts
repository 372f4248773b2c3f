/** Ids by name. Ignores case. Several ids may share a name, and are listed in ascending order. */
export class NameIndex {
  readonly #ids = new Map<string, number | number[]>();

  get(name: string): readonly number[] {
    const ids = this.#ids.get(name.toLowerCase());
    if (ids === undefined) return [];
    return typeof ids === 'number' ? [ids] : ids;
  }

  add(name: string, id: number): void {
    const key = name.toLowerCase();
    const ids = this.get(name);
    if (ids.length === 0) this.#ids.set(key, id);
    else
      this.#ids.set(
        key,
        [...ids, id].sort((a, b) => a - b),
      );
  }

  remove(name: string, id: number): void {
    const key = name.toLowerCase();
    const [first, ...others] = this.get(name).filter((other) => other !== id);
    if (first === undefined) this.#ids.delete(key);
    else this.#ids.set(key, others.length === 0 ? first : [first, ...others]);
  }
}
