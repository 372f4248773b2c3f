/** Objects that consist of the fields of others. Their types name the others instead of repeating the fields. */

/** A field of an object type. */
export interface Field {
  readonly name: string;
  /** The paragraphs of its comment. */
  readonly notes: readonly string[];
  /** The text of its type. For parameters, callers may also pass `undefined` if the field is optional. */
  readonly type: string;
  readonly isOptional: boolean;
}

/** An object type that is declared, so that others can refer to it. */
export interface Shape {
  readonly name: string;
  readonly fields: readonly Field[];
}

export interface Composed {
  /** The types that contribute the other fields. */
  readonly bases: readonly string[];
  /** The fields that no base has. */
  readonly own: readonly Field[];
}

/** Fewer fields are written again. */
const MIN_SHARED_FIELDS = 3;
/** `Omit` is used only if the rest is large. */
const MAX_OMITTED_FIELDS = 3;
const MIN_REMAINING_FIELDS = 10;
/** Settings of an organization have such names in the initial state. */
const PREFIXES = ['', 'realm_'];

interface Match {
  readonly shape: Shape;
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

/** Finds the shapes whose fields an object has, the largest first. The result has them in the order of `shapes`. */
export function composed(fields: readonly Field[], shapes: readonly Shape[], forParameters: boolean): Composed {
  const found: Match[] = [];
  let own = fields;
  for (;;) {
    const matches = shapes.flatMap((shape) => matchesOf(shape, own, forParameters));
    const [first] = matches;
    if (first === undefined) break;
    const best = matches.reduce((largest, match) => (match.names.size > largest.names.size ? match : largest), first);
    found.push(best);
    own = own.filter(({ name }) => !best.names.has(name));
  }
  const inOrder = found.toSorted((a, b) => shapes.indexOf(a.shape) - shapes.indexOf(b.shape));
  return { bases: inOrder.map(({ text }) => text), own };
}

/** The shapes that a shape can extend, so that none extends itself through others. */
export function smallerShapes(name: string, shapes: readonly Shape[]): readonly Shape[] {
  const own = shapes.findIndex((shape) => shape.name === name);
  const size = shapes[own]?.fields.length ?? Number.POSITIVE_INFINITY;
  return shapes.filter(({ fields }, index) => fields.length < size || (fields.length === size && index < own));
}

/** The shape that has exactly these names, in any order. */
export function shapeWithNames(names: readonly string[], shapes: readonly Shape[]): Shape | undefined {
  const wanted = new Set(names);
  return shapes.find(
    ({ fields }) =>
      fields.length === wanted.size &&
      fields.length > MIN_SHARED_FIELDS &&
      fields.every(({ name }) => wanted.has(name)),
  );
}

function matchesOf(shape: Shape, own: readonly Field[], forParameters: boolean): readonly Match[] {
  const byName = new Map(own.map((field) => [field.name, field]));
  const found = PREFIXES.flatMap((prefix) => {
    const isSame = (field: Field): boolean => {
      const other = byName.get(prefix + field.name);
      return other !== undefined && other.type === field.type && other.notes.join('\n') === field.notes.join('\n');
    };
    const isOptional = ({ name }: Field): boolean => byName.get(prefix + name)?.isOptional ?? false;
    const same = shape.fields.filter(isSame);
    const exact = same.filter(
      (field) => isOptional(field) === field.isOptional && !(forParameters && field.isOptional),
    );
    const optional = same.filter(isOptional);
    return [
      ...(prefix === '' ? [matchOf(shape, exact, prefix, (text) => text)] : []),
      matchOf(shape, optional, prefix, (text) => optionalType(text, prefix, forParameters)),
    ];
  });
  return [...found, valuesOf(shape, byName, forParameters)].filter((match) => match !== undefined);
}

function optionalType(text: string, prefix: string, forParameters: boolean): string {
  if (prefix !== '') return `Prefixed<'${prefix}', ${text}>`;
  return forParameters ? `Optional<${text}>` : `Partial<${text}>`;
}

function matchOf(
  shape: Shape,
  kept: readonly Field[],
  prefix: string,
  written: (text: string) => string,
): Match | undefined {
  const { name, fields } = shape;
  const names = new Set(kept.map((field) => field.name));
  const omitted = fields.filter((field) => !names.has(field.name)).map((field) => `'${field.name}'`);
  const isLarge = omitted.length <= MAX_OMITTED_FIELDS && kept.length >= MIN_REMAINING_FIELDS;
  if (kept.length < MIN_SHARED_FIELDS || (omitted.length > 0 && !isLarge)) return undefined;
  const text = omitted.length === 0 ? name : `Omit<${name}, ${omitted.join(' | ')}>`;
  return { shape, text: written(text), names: new Set([...names].map((field) => prefix + field)) };
}

/** Parameters with the names of a shape, all with values of one other type. */
function valuesOf(shape: Shape, own: ReadonlyMap<string, Field>, forParameters: boolean): Match | undefined {
  const { name, fields } = shape;
  const others = fields.map((field) => own.get(field.name));
  const [first] = others;
  const areAlike = others.every((field) => field?.isOptional && field.type === first?.type && field.notes.length === 0);
  if (!forParameters || fields.length <= MIN_SHARED_FIELDS || first === undefined || !areAlike) return undefined;
  return { shape, text: `OptionalValues<${name}, ${first.type}>`, names: new Set(fields.map((field) => field.name)) };
}
