/** A file as text: the query is vite's. */
declare module '*.jsonl?raw' {
  const text: string;
  export default text;
}
