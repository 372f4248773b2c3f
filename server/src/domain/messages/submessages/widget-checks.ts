/** Checks of widgets. Clients know these error texts. */

/** An error in the data of a client. */
export class WidgetError extends Error {}

/** Fails with a `WidgetError` that names the value. */
export type Check = (name: string, value: unknown) => void;

export const checkString: Check = (name, value) => {
  if (typeof value !== 'string') throw new WidgetError(`${name} is not a string`);
};

export const checkBoolean: Check = (name, value) => {
  if (typeof value !== 'boolean') throw new WidgetError(`${name} is not a boolean`);
};

const checkInteger: Check = (name, value) => {
  if (!Number.isInteger(value)) throw new WidgetError(`${name} is not an integer`);
};

export function checkOneOf(values: readonly number[]): Check {
  return (name, value) => {
    checkInteger(name, value);
    if (!values.includes(value as number)) throw new WidgetError(`Invalid ${name}`);
  };
}

export function checkRange(least: number, most: number): Check {
  return (name, value) => {
    checkInteger(name, value);
    if ((value as number) < least) throw new WidgetError(`${name} is too small`);
    if ((value as number) > most) throw new WidgetError(`${name} is too large (max ${most})`);
  };
}

export function checkList(check: Check): Check {
  return (name, value) => {
    if (!Array.isArray(value)) throw new WidgetError(`${name} is not a list`);
    for (const [index, one] of value.entries()) check(`${name}[${index}]`, one);
  };
}

/** @param options.only whether further keys are errors */
export function checkDict(checks: Readonly<Record<string, Check>>, { only = false } = {}): Check {
  return (name, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new WidgetError(`${name} is not a dict`);
    }
    const fields: Readonly<Record<string, unknown>> = { ...value };
    for (const [key, check] of Object.entries(checks)) {
      if (!Object.hasOwn(fields, key)) throw new WidgetError(`${key} key is missing from ${name}`);
      check(`${name}["${key}"]`, fields[key]);
    }
    const extra = Object.keys(fields).filter((key) => !Object.hasOwn(checks, key));
    if (only && extra.length > 0) throw new WidgetError(`Unexpected arguments: ${extra.join(', ')}`);
  };
}
