/** Notes in the report which fields of an archive's objects are not imported. */
import type { Json } from './fields.ts';
import type { ImportReport } from './report.ts';

export interface KnownFields {
  /** Imported, or they follow from what is imported. Separated by spaces. */
  readonly fields: string;
  /** Not imported, with the reason. */
  readonly left?: Readonly<Record<string, string>>;
}

export class FieldNotes {
  readonly #report: ImportReport;
  readonly #kinds: ReadonlyMap<
    string,
    { readonly fields: ReadonlySet<string>; readonly left: Readonly<Record<string, string>> }
  >;

  constructor(report: ImportReport, kinds: Readonly<Record<string, KnownFields>>) {
    this.#report = report;
    this.#kinds = new Map(
      Object.entries(kinds).map(([kind, { fields, left = {} }]) => [
        kind,
        { fields: new Set(fields.split(' ')), left },
      ]),
    );
  }

  knows(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  /** Fields without a value lose nothing. */
  note(kind: string, object: Json): void {
    const known = this.#kinds.get(kind);
    for (const [field, value] of Object.entries(object)) {
      if (known?.fields.has(field) === true || isEmpty(value)) continue;
      const reason = known !== undefined && Object.hasOwn(known.left, field) ? known.left[field] : undefined;
      if (reason === undefined) this.#report.skipNamed('Fields that this version does not know', `${kind}.${field}`);
      else if (value !== false && value !== 0) this.#report.skip(`Values of ${kind}.${field}: ${reason}`);
    }
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}
