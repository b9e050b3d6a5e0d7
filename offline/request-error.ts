/** A request that cannot be answered, in OpenAI's error format. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string | null;
  constructor(status: number, text: string, code: string | null = null) {
    super(text);
    this.status = status;
    this.code = code;
  }
}
