/** Types that the generated types have in common. */

/** What all events have. */
export interface EventBase<Type extends string> {
  /** The position of the event in its queue. */
  readonly id: number;
  readonly type: Type;
}

/** These fields as parameters: all can be left out or be undefined. */
export type Optional<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** Parameters with the names of these fields and with values of another type. All can be left out or be undefined. */
export type OptionalValues<Fields, Value> = { readonly [Name in keyof Fields]?: Value | undefined };

/** These fields with a prefix before their names. All can be absent. */
export type Prefixed<Prefix extends string, Fields> = {
  readonly [Name in keyof Fields & string as `${Prefix}${Name}`]?: Fields[Name];
};
