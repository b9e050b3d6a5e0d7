type Part = Rpc.RpcTargetBranded;

/**
 * Some members of an object as its stub offers them: methods, and parts with all of their methods. Callers name what they use, so a fake
 * implements nothing else; the signatures are those of the class.
 */
export type RpcOf<T, Member extends keyof T> = {
  readonly [M in Member]: T[M] extends Part
    ? RpcOf<T[M], Exclude<keyof T[M], keyof Part>>
    : T[M] extends (...args: infer Args) => infer Result
      ? (...args: Args) => Promise<Awaited<Result>>
      : never;
};

/** What an object must have so that its stub is such an interface. */
export type Answers<T> = {
  readonly [M in keyof T]: T[M] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result | Promise<Result>
    : Answers<T[M]>;
};

/** The objects of a kind, by name. */
export interface ObjectsOf<T> {
  getByName(name: string): T;
}
