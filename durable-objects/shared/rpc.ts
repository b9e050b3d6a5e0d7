/**
 * Some methods of an object as its stub offers them. Callers name the methods that they use, so a fake implements no
 * others; the signatures are those of the class.
 */
export type RpcOf<T, Method extends keyof T> = {
  readonly [M in Method]: T[M] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};
