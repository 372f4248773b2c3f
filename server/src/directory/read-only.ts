/** `T` without the methods that return nothing: those are the ones that change it. */
export type ReadOnly<T> = { readonly [K in keyof T as T[K] extends Changing<T[K]> ? never : K]: T[K] };

/** The method itself if it returns nothing. */
type Changing<Method> = Method extends (...parameters: never[]) => infer Result
  ? (() => void) extends () => Result
    ? Method
    : never
  : never;
