/** A resource as its workspace lists it: its id, the object that holds it, and what a list shows of it, as JSON. */
export interface IndexedResource {
  readonly id: string;
  readonly object: string;
  readonly json: string;
}
