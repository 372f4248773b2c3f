/** Reads fields of JSON that an archive brings. A field of another type counts as missing. */
import { isObject } from './json.ts';

export type Json = Readonly<Record<string, unknown>>;

export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textIn(object: Json, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(object: Json, name: string): number | undefined {
  const value = object[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function isTrue(object: Json, name: string): boolean {
  return object[name] === true;
}

export function textsIn(object: Json, name: string): readonly string[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function objectIn(object: Json, name: string): Json {
  const value = object[name];
  return isObject(value) ? value : {};
}

/** The largest time of JavaScript. */
const MAX_TIME_MS = 8_640_000_000_000_000;

/** A time in seconds since the epoch, in milliseconds. Undefined: there is none, or it is not possible. Programs write 0 for none. */
export function timeOf(seconds: unknown): number | undefined {
  const value = Number(typeof seconds === 'string' || typeof seconds === 'number' ? seconds : Number.NaN) * 1000;
  return Number.isFinite(value) && value > 0 && value <= MAX_TIME_MS / 1000 ? Math.floor(value) : undefined;
}

export function dateOf(seconds: unknown): Date | undefined {
  const time = timeOf(seconds);
  return time === undefined ? undefined : new Date(time);
}

/** An id as the key of an object. */
export function keyIn(object: Json, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}
