/** What a workspace keeps in objects of their own. */
export type ResourceKind = 'exploration' | 'benchmark' | 'evaluation' | 'recording' | 'knowledge' | 'submission';

/** A resource as its workspace lists it: its id, the object that holds it, and what a list shows of it, as JSON. */
export interface IndexedResource {
  readonly id: string;
  readonly object: string;
  readonly json: string;
}
